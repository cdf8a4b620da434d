import { lstat, readlink } from 'node:fs/promises';

/**
 * What paths may be used. `root`: everything below may be read and written; `writable`: further folders or files that may be,
 * `readable`: that may be read; `mode`: what is asked; `base`: absolute folder that relative paths are taken from.
 */
export type PathGrants = {
  root?: string;
  writable?: readonly string[];
  readable?: readonly string[];
  mode: 'read' | 'write';
  base?: string;
};

/**
 * Whether a path may be used. `path`: the canonical one, links resolved, to be used instead of the given one; `exists`:
 * something is there; `grant`: what allows it. A refusal is `outside_grants`, or `unresolvable`: a link that leads nowhere or in
 * a circle, anything after what is no folder, `..` after what is missing, a folder that can't be looked into, a relative path
 * without base.
 */
export type Authorization =
  | { allowed: true; path: string; exists: boolean; grant: 'root' | 'writable' | 'readable' }
  | { allowed: false; reason: 'outside_grants'; path: string; exists: boolean }
  | { allowed: false; reason: 'unresolvable' };

type Kind = 'folder' | 'other' | 'missing';

/** A canonical path by its parts, and what stands there. */
type Place = { parts: string[]; kind: Kind };

const maxLinks = 40;

const toPath = (parts: readonly string[]): string => `/${parts.join('/')}`;

/** What stands at a path, not following it; undefined where that can't be told. */
const look = async (path: string): Promise<Kind | 'link' | undefined> => {
  try {
    const facts = await lstat(path);
    return facts.isSymbolicLink() ? 'link' : facts.isDirectory() ? 'folder' : 'other';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'missing' : undefined;
  }
};

/** Goes along a path from a canonical folder, part by part. What is missing at its end is kept. */
const walk = async (from: readonly string[], path: string, links: { left: number }): Promise<Place | undefined> => {
  // The parts are this walk's own, and change as it goes.
  let place: Place = { parts: path.startsWith('/') ? [] : [...from], kind: 'folder' };
  for (const part of path.split('/')) {
    if (place.kind === 'other') return undefined;
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (place.kind === 'missing') return undefined;
      place.parts.pop();
      continue;
    }
    place.parts.push(part);
    const kind = place.kind === 'missing' ? 'missing' : await look(toPath(place.parts));
    if (kind === undefined) return undefined;
    if (kind !== 'link') {
      place = { parts: place.parts, kind };
      continue;
    }
    links.left--;
    const target = links.left < 0 ? undefined : await readlink(toPath(place.parts)).catch(() => undefined);
    place.parts.pop();
    const led = target === undefined ? undefined : await walk(place.parts, target, links);
    if (!led || led.kind === 'missing') return undefined;
    place = led;
  }
  return place;
};

const resolvePath = async (path: string, base: string | undefined): Promise<Place | undefined> => {
  if (path === '') return undefined;
  const links = { left: maxLinks };
  if (path.startsWith('/')) return walk([], path, links);
  const from = base?.startsWith('/') ? await walk([], base, links) : undefined;
  return from?.kind === 'folder' ? walk(from.parts, path, links) : undefined;
};

const isInside = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`);

/**
 * Whether a path may be read or written: inside the root or a grant, with symbolic links of all of them resolved. A folder's own
 * path is inside; a grant that can't be resolved grants nothing. Changes nothing. What is authorised holds for the files as they
 * are now: use the canonical `path` at once.
 */
export const authorizePath = async (
  path: string,
  { root, writable = [], readable = [], mode, base }: PathGrants,
): Promise<Authorization> => {
  const place = await resolvePath(path, base);
  if (!place) return { allowed: false, reason: 'unresolvable' };
  const found = { path: toPath(place.parts), exists: place.kind !== 'missing' };
  const grants = [
    ...(root === undefined ? [] : [['root', root] as const]),
    ...writable.map((granted) => ['writable', granted] as const),
    ...(mode === 'read' ? readable.map((granted) => ['readable', granted] as const) : []),
  ];
  for (const [grant, granted] of grants) {
    const folder = await resolvePath(granted, base);
    if (folder && isInside(found.path, toPath(folder.parts))) return { allowed: true, ...found, grant };
  }
  return { allowed: false, reason: 'outside_grants', ...found };
};
