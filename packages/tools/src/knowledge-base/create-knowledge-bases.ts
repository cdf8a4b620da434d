import { readdir, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Message } from '@colophon/chat-format';
import type { Association, ToolSources } from '../declarations/declaration.js';
import type { Tool } from '../tool.js';
import { type Database, type DatabaseSource, openDatabase } from './database.js';
import { unknownKnowledgeBase, unreadable } from './errors.js';
import { findKnowledgeBase, isPath, knowledgeBasePlaces, knownKnowledgeBases } from './find-knowledge-base.js';
import { databaseNames, databaseSources, knowledgeBaseTools } from './knowledge-base.js';
import type { Watch } from './make-table.js';
import { cachePlace, realPath } from './places.js';
import { optionsOfWords } from './table-options.js';

/** What knowledge bases of chats need to know of the machine. */
export type KnowledgeBaseOptions = Watch & {
  /** Absolute search roots, in order. */
  roots?: readonly string[];
  /** Folders below which nothing is ever written. */
  readOnlyRoots?: readonly string[];
  /** Folder for the SQLite files of associations, and of TSV files whose folder may not be written. Without it these are private, and built anew by each process. */
  cacheFolder?: string;
  /** False: nothing is written but in the cache folder. */
  writable?: boolean;
  /** The absolute path that a chat means, given as it was written or as a real path; throws where it may not be read. */
  resolvePath: (path: string, message: Message, kind: 'file' | 'directory') => string | Promise<string>;
};

/** The engines of `kb` and `association`, and the end of what they opened. */
export type KnowledgeBases = Required<Pick<ToolSources, 'knowledgeBase' | 'association'>> & { close: () => void };

type Opened = { source: DatabaseSource; database: Database };

/**
 * Engines that answer `kb: name [database…]` and `association: name path key=value…`. A database that is declared again is
 * not opened again unless its files have changed. Close them when no tool is called any more.
 */
export const createKnowledgeBases = (options: KnowledgeBaseOptions): KnowledgeBases => {
  const { roots = [], readOnlyRoots = [], cacheFolder, resolvePath, writable = true } = options;
  const opened: Opened[] = [];
  const mayWrite = (folder: string): boolean =>
    writable &&
    !readOnlyRoots.some((root) => `${folder}${sep}`.startsWith(root.endsWith(sep) ? root : `${root}${sep}`));

  const open = async (source: DatabaseSource): Promise<Database> => {
    const before = opened.findLast((entry) => isDeepStrictEqual(entry.source, source));
    if (before && (await before.database.isFresh(source))) return before.database;
    const database = await openDatabase(source, options);
    opened.push({ source, database });
    return database;
  };

  // A folder that may be read may hold links to what may not.
  const checkLinks = async (folder: string, message: Message): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch((cause) => {
      throw unreadable(folder, cause);
    });
    for (const entry of entries)
      if (entry.isSymbolicLink()) {
        const real = await realPath(join(folder, entry.name));
        await resolvePath(real, message, (await stat(real)).isDirectory() ? 'directory' : 'file');
      }
  };

  const find = async (name: string, message: Message): Promise<{ folder: string; writable: boolean }> => {
    const found = isPath(name) ? undefined : await findKnowledgeBase(name, roots);
    if (found) return { folder: found.folder, writable: mayWrite(found.folder) };
    if (!isPath(name) && !name.includes('/')) {
      const places = knowledgeBasePlaces(name, roots).map(({ folder }) => folder);
      throw unknownKnowledgeBase(name, await knownKnowledgeBases(roots), places);
    }
    const folder = await resolvePath(name, message, 'directory');
    await checkLinks(folder, message);
    return { folder, writable: mayWrite(folder) };
  };

  const knowledgeBase = async (name: string, databases: readonly string[], message: Message): Promise<Tool[]> => {
    const { folder, writable } = await find(name, message);
    const ready: Database[] = [];
    for (const source of await databaseSources(folder, { databases, writable, cacheFolder }))
      ready.push(await open(source));
    return knowledgeBaseTools(ready, await databaseNames(folder));
  };

  const association = async ({ name, path, options: words }: Association, message: Message): Promise<Tool[]> => {
    const { description, ...table } = optionsOfWords(words, `\`association: ${name}\``);
    const file = await resolvePath(path, message, 'file');
    const real = await realPath(file);
    const places = cacheFolder === undefined ? [] : [cachePlace(cacheFolder, real, table)];
    const database = await open({ name, file: real, options: table, description, places });
    return knowledgeBaseTools([database], [name]);
  };

  const close = (): void => {
    for (const { database } of opened.splice(0)) database.close();
  };
  return { knowledgeBase, association, close };
};
