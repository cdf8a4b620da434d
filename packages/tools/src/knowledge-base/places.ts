import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { unreadable } from './errors.js';
import type { TableOptions } from './table-options.js';

/** Whether a file of this name in a knowledge base is a database. */
export const isTable = (name: string): boolean => name.endsWith('.tsv') && !name.startsWith('.');

/** Where the SQLite file of a TSV file stands beside it. */
export const placeBeside = (file: string): string => join(dirname(file), `.${basename(file)}.sqlite`);

/** Where it stands in a cache folder: one place for each file and way of reading it, whatever name it has in a chat. */
export const cachePlace = (folder: string, realFile: string, options: TableOptions): string => {
  const way = Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1));
  const key = createHash('sha256')
    .update(JSON.stringify([realFile, way]))
    .digest('hex');
  return join(folder, `${key.slice(0, 40)}.sqlite`);
};

/** The file behind a path; throws `kb_file`. */
export const realPath = (file: string): Promise<string> =>
  realpath(file).catch((cause) => {
    throw unreadable(file, cause);
  });
