import { pathToFileURL } from 'node:url';
import type Libsql from 'libsql';

/** A connection to an SQLite file. */
export type Connection = Libsql.Database;

// Native code, loaded by the first database.
const load = async (): Promise<typeof Libsql> => (await import('libsql')).default;

const address = (path: string, query: string): string => `${pathToFileURL(path).href}?${query}`;

/** Opens a file that nobody changes as long as it is there: it is read without locks, also where nothing may be written. */
export const openFinished = async (path: string): Promise<Connection> =>
  new (await load())(address(path, 'mode=ro&immutable=1'));

/**
 * Opens a new file for one bulk write; '' is a private one that vanishes with the connection. It stays locked until it is
 * closed, so that others see that its maker lives; there is no journal, since a file that is not finished is thrown away.
 */
export const openNew = async (path: string): Promise<Connection> => {
  const connection = new (await load())(path);
  for (const setting of ['journal_mode=OFF', 'synchronous=NORMAL', 'locking_mode=EXCLUSIVE', 'cache_size=-32768'])
    connection.prepare(`pragma ${setting}`).all();
  connection.exec('begin exclusive');
  return connection;
};

/** Whether a process, perhaps this one, is writing a file. */
export const isBeingWritten = async (path: string): Promise<boolean> => {
  const Database = await load();
  let connection: Connection | undefined;
  try {
    connection = new Database(address(path, 'mode=rw'));
    connection.exec('begin exclusive');
    connection.exec('rollback');
    return false;
  } catch (cause) {
    return (cause as { code?: unknown }).code === 'SQLITE_BUSY';
  } finally {
    connection?.close();
  }
};

/** Whether an error says that a file is no SQLite file, or a damaged one. */
export const isDamage = (cause: unknown): boolean =>
  ['SQLITE_NOTADB', 'SQLITE_CORRUPT'].includes(String((cause as { code?: unknown } | undefined)?.code));
