import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Tool } from '../tool.js';
import { type Database, type DatabaseSource, openDatabase } from './database.js';
import { databaseTools } from './database-tools.js';
import { badOptions, emptyKnowledgeBase, unknownDatabase, unreadable } from './errors.js';
import type { Watch } from './make-table.js';
import { cachePlace, isTable, placeBeside, realPath } from './places.js';
import { sectionOf } from './section-of.js';
import { checkOptions, type DatabaseOptions } from './table-options.js';
import { toToolNames } from './tool-names.js';

/** How a knowledge base is opened. */
export type OpenOptions = Watch & {
  /** The databases that are wanted; all where this is absent or empty. */
  databases?: readonly string[];
  /** False: nothing is written into the folder. */
  writable?: boolean;
  /** Folder for SQLite files that can't stand beside their TSV files; without one they are private. */
  cacheFolder?: string | undefined;
};

/** Names of the databases in a folder, sorted: its files NAME.tsv. */
export const databaseNames = async (folder: string): Promise<string[]> => {
  const names = await readdir(folder).catch((cause) => {
    throw unreadable(folder, cause);
  });
  return names
    .filter(isTable)
    .map((name) => name.slice(0, -4))
    .sort();
};

const readIfThere = async (file: string): Promise<string | undefined> => {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    if (['ENOENT', 'EISDIR'].includes(String((cause as { code?: unknown }).code))) return undefined;
    throw unreadable(file, cause);
  }
};

const readOptions = async (file: string): Promise<DatabaseOptions> => {
  const text = await readIfThere(file);
  if (text === undefined) return {};
  try {
    return checkOptions(JSON.parse(text), file);
  } catch (cause) {
    throw cause instanceof SyntaxError ? badOptions(file, `this is no JSON (${cause.message})`, cause) : cause;
  }
};

const sourceOf = async (folder: string, name: string, open: OpenOptions): Promise<DatabaseSource> => {
  const file = join(folder, `${name}.tsv`);
  const { description, ...options } = await readOptions(join(folder, `${name}.json`));
  const told = async () => {
    const own = (await readIfThere(join(folder, `${name}.md`)))?.trim();
    return own || sectionOf((await readIfThere(join(folder, 'README.md'))) ?? '', name);
  };
  const real = await realPath(file);
  const cache = open.cacheFolder === undefined ? [] : [cachePlace(open.cacheFolder, real, options)];
  const places = [...(open.writable === false ? [] : [placeBeside(file)]), ...cache];
  return { name, file, options, description: description || (await told()), places };
};

/** Where the databases of a knowledge base come from, all or those named. Throws `empty_knowledge_base`, `unknown_database`, `kb_options`. */
export const databaseSources = async (folder: string, options: OpenOptions = {}): Promise<DatabaseSource[]> => {
  const known = await databaseNames(folder);
  if (known.length === 0)
    throw emptyKnowledgeBase(
      folder,
      (await readdir(folder)).some((name) => name === 'config' || name === 'registry'),
    );
  const unknown = options.databases?.find((name) => !known.includes(name));
  if (unknown !== undefined) throw unknownDatabase(folder, unknown, known);
  const names = options.databases?.length ? [...new Set(options.databases)] : known;
  const sources: DatabaseSource[] = [];
  for (const name of names) sources.push(await sourceOf(folder, name, options));
  return sources;
};

/** An open knowledge base. `close` when its tools are not called any more. */
export type KnowledgeBase = { folder: string; databases: readonly Database[]; tools: Tool[]; close: () => void };

/** The tools of some databases of a folder. Their names don't depend on which are among them. */
export const knowledgeBaseTools = (databases: readonly Database[], known: readonly string[]): Tool[] => {
  const names = toToolNames(known);
  return databases.flatMap((database) => databaseTools(database, names.get(database.name)!));
};

/**
 * Opens a folder of TSV files as databases: NAME.tsv holds associations, NAME.json its options, NAME.md (or its section in
 * README.md) says what it is about. Each is read into an SQLite file once, and again when it has changed.
 */
export const openKnowledgeBase = async (folder: string, options: OpenOptions = {}): Promise<KnowledgeBase> => {
  const databases: Database[] = [];
  const close = (): void => {
    for (const database of databases) database.close();
  };
  try {
    for (const source of await databaseSources(folder, options)) databases.push(await openDatabase(source, options));
    return { folder, databases, tools: knowledgeBaseTools(databases, await databaseNames(folder)), close };
  } catch (cause) {
    close();
    throw cause;
  }
};
