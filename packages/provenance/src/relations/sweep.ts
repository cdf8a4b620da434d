import { byText, joinPath } from '../path-text.js';
import type { FolderEntry } from '../reader.js';
import type { Warning } from '../warning.js';
import type { RelationContext } from './relation.js';

/** `path` is the real one. */
type Found = { name: string; kind: 'file' | 'folder' | 'other'; path: string };

/** Whether an entry can hold conversations, or be one. */
export type Wanted = (name: string, kind: Found['kind']) => boolean;

const linkWarning = (code: 'link_outside' | 'link_broken', path: string, why: string): Warning => ({
  code,
  message: `${code}: ${path} ${why}`,
  path,
  address: path,
  relation: 'log',
});

const outside = (path: string, to: string): Warning =>
  linkWarning(
    'link_outside',
    path,
    `is a link to ${to}, outside the folders of this session; it is left out. Name that folder as a root to have it read.`,
  );

/** An entry with its links followed; undefined where it is not wanted, or leads nowhere, in a circle, or out of the session. */
const follow = async (
  { name, kind }: FolderEntry,
  folder: string,
  wanted: Wanted,
  context: RelationContext,
): Promise<Found | undefined> => {
  const path = joinPath(folder, name);
  if (kind !== 'link') return wanted(name, kind) ? { name, kind, path } : undefined;
  const place = await context.reader.look(path);
  if (place === undefined || place === 'link_loop') {
    if (wanted(name, 'file'))
      context.warn(linkWarning('link_broken', path, 'is a link that leads nowhere, or in a circle; it is left out.'));
    return undefined;
  }
  if (!wanted(name, place.kind)) return undefined;
  if (!context.isInside(place.path)) {
    context.warn(outside(path, place.path));
    return undefined;
  }
  return { name, kind: place.kind, path: place.path };
};

const entriesOf = async (folder: string, wanted: Wanted, context: RelationContext): Promise<Found[]> => {
  const entries = await context.reader.list(folder);
  if (!entries) {
    context.warn({
      code: 'unreadable',
      message: `unreadable: the folder ${folder} can't be listed, so what it holds is left out. Check its permissions.`,
      path: folder,
      address: folder,
      relation: 'log',
    });
    return [];
  }
  const visible = entries.filter(({ name }) => !name.startsWith('.')).sort((a, b) => byText(a.name, b.name));
  const found: Found[] = [];
  for (const entry of visible) {
    const followed = await follow(entry, folder, wanted, context);
    if (followed) found.push(followed);
  }
  return found;
};

/** The folder at a path, which may be a link within the session, and what it holds. Undefined where there is none. */
export const openSidecar = async (
  path: string,
  wanted: Wanted,
  context: RelationContext,
): Promise<{ path: string; entries: Found[] } | undefined> => {
  const place = await context.reader.look(path);
  if (place === undefined || place === 'link_loop' || place.kind !== 'folder') return undefined;
  if (place.path !== path && !context.isInside(place.path)) {
    context.warn(outside(path, place.path));
    return undefined;
  }
  return { path: place.path, entries: await entriesOf(place.path, wanted, context) };
};

/** Folders that hold something else than conversations: sidecars with their reset snapshots, and inboxes. */
const isForeign = (name: string): boolean => /\.(files|inbox|inbox_removed)$/.test(name);

/** Real paths of all chats below a folder, foreign folders left out; each real folder is entered once. */
export const sweepChats = async (folder: string, context: RelationContext): Promise<string[]> => {
  const wanted: Wanted = (name, kind) => (kind === 'folder' ? !isForeign(name) : name.endsWith('.chat'));
  const top = await openSidecar(folder, wanted, context);
  if (!top) return [];
  const files: string[] = [];
  const seen = new Set([top.path]);
  const waiting = [...top.entries];
  for (const { kind, path } of waiting) {
    if (kind !== 'folder') files.push(path);
    else if (!seen.has(path)) {
      seen.add(path);
      waiting.push(...(await entriesOf(path, wanted, context)));
    }
  }
  return files;
};
