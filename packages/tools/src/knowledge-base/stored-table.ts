import { access } from 'node:fs/promises';
import type { TableFacts } from './build-table.js';
import type { FileState } from './file-state.js';
import { type Connection, isDamage, openFinished } from './sqlite.js';
import type { TableOptions } from './table-options.js';

// Raised where SQLite files of earlier versions can't be read.
const format = 1;

/** What an SQLite file says of itself. */
export type Stored = {
  facts: TableFacts;
  state: FileState;
  /** SHA-256 of the TSV file, in hex. */
  hash: string;
  /** The file was written shortly before it was read: a change within one tick of the clock would not show in its times. */
  young: boolean;
  options: TableOptions;
};

/** Writes what a table was built from into its SQLite file. */
export const writeStored = (connection: Connection, stored: Stored): void => {
  connection.exec('create table colophon (format integer not null, stored text not null)');
  connection.prepare('insert into colophon values (?, ?)').run([format, JSON.stringify(stored)]);
};

/** An SQLite file of a table, nothing (absent, or of another version), or the damage that it has. */
export type Found = { kind: 'table'; connection: Connection; stored: Stored } | { kind: 'none' } | { kind: 'damaged' };

const readStored = (connection: Connection): Stored | undefined => {
  const [row] = connection.prepare('select format, stored from colophon').raw().all() as [number, string][];
  connection.prepare('select source, target, fields from association limit 1').all();
  return row?.[0] === format ? (JSON.parse(row[1]) as Stored) : undefined;
};

/** Opens the SQLite file of a table, if it can be read. */
export const findStored = async (path: string): Promise<Found> => {
  let connection: Connection | undefined;
  try {
    await access(path);
    connection = await openFinished(path);
    const stored = readStored(connection);
    if (stored) return { kind: 'table', connection, stored };
    connection.close();
    return { kind: 'none' };
  } catch (cause) {
    connection?.close();
    if (isDamage(cause) || cause instanceof SyntaxError || /no such (table|column)/.test(String(cause)))
      return { kind: 'damaged' };
    return { kind: 'none' };
  }
};
