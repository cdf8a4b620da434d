import { readdir, stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { isTable } from './places.js';

/** Where the knowledge base of a name stands below a root, in the order of the search. */
const below: readonly ((name: string) => string)[] = [
  (name) => join('var/knowledge_base', name),
  (name) => join('workflows', name, 'knowledge_base'),
  (name) => join('Agent', name, 'knowledge_base'),
  (name) => join('chats/Agent', name, 'knowledge_base'),
  (name) => join('chats', name, 'knowledge_base'),
];

/** Whether a name can only be meant as a path: it is absolute, starts with `.` or `~`, or leaves its folder. */
export const isPath = (name: string): boolean =>
  isAbsolute(name) || /^[.~]/.test(name) || name.split(/[\\/]/).includes('..') || name.includes('\0');

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );

/** Where a knowledge base of this name may stand, best first, each with its root. */
export const knowledgeBasePlaces = (name: string, roots: readonly string[]): { folder: string; root: string }[] =>
  below.flatMap((place) => roots.map((root) => ({ folder: join(root, place(name)), root })));

const hasTables = async (folder: string): Promise<boolean> => (await readdir(folder).catch(() => [])).some(isTable);

/** The first folder of this name that has databases, else the first that is there. */
export const findKnowledgeBase = async (
  name: string,
  roots: readonly string[],
): Promise<{ folder: string; root: string } | undefined> => {
  let empty: { folder: string; root: string } | undefined;
  for (const place of knowledgeBasePlaces(name, roots)) {
    if (!(await isFolder(place.folder))) continue;
    if (await hasTables(place.folder)) return place;
    empty ??= place;
  }
  return empty;
};

/** Names that knowledge bases have below `var/knowledge_base` of the roots, sorted, for a message. */
export const knownKnowledgeBases = async (roots: readonly string[]): Promise<string[]> => {
  const names = new Set<string>();
  for (const root of roots)
    for (const entry of await readdir(join(root, 'var/knowledge_base'), { withFileTypes: true }).catch(() => []))
      if (!entry.isFile() && !entry.name.startsWith('.')) names.add(entry.name);
  return [...names].sort();
};
