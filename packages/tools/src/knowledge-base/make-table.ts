import { mkdir, mkdtemp, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ColophonError } from '@colophon/chat-format';
import type { Progress } from '../tool.js';
import { buildTable } from './build-table.js';
import { buildFailed, keepsChanging } from './errors.js';
import { chunksOf, openSource, sameState, stateOf } from './file-state.js';
import { type Connection, isBeingWritten, openNew } from './sqlite.js';
import { findStored, type Stored, writeStored } from './stored-table.js';
import type { TableOptions } from './table-options.js';

/** A TSV file to be read so. */
export type TableSource = { file: string; options: TableOptions };

/** Something to know about a database that can be used all the same. */
export type DatabaseWarning = { code: 'kb_row' | 'kb_damaged'; message: string; line?: number };

/** Who watches a database. `done` and `total` of the progress are bytes of the TSV file that is read. */
export type Watch = {
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  onWarning?: ((warning: DatabaseWarning) => void) | undefined;
};

/** An open table. */
export type OpenTable = { connection: Connection; stored: Stored };

const codeOf = (cause: unknown): string => String((cause as { code?: unknown } | undefined)?.code ?? '');

// Two seconds: the coarsest clock of a file system.
const tick = 2_000_000_000n;

const building = 'building.sqlite';

/** Removes what killed builds of a place have left. */
const removeLeftovers = async (place: string): Promise<void> => {
  const folder = dirname(place);
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${basename(place)}.`)) continue;
    const left = join(folder, name, building);
    const isFile = await stat(left).then(
      (found) => found.isFile(),
      () => false,
    );
    if (isFile && !(await isBeingWritten(left))) await rm(join(folder, name), { recursive: true, force: true });
  }
};

const fill = async (
  connection: Connection,
  { file, options }: TableSource,
  now: bigint,
  { signal, onProgress }: Watch,
): Promise<Stored> => {
  const handle = await openSource(file);
  try {
    const state = await stateOf(handle);
    const total = Number(state.size);
    const message = `reading ${basename(file)}`;
    const chunks = chunksOf(handle, { signal, onBytes: (done) => onProgress?.({ message, done, total }) });
    const built = await buildTable(connection, chunks, { file, options });
    if (!sameState(state, await stateOf(handle))) throw keepsChanging(file);
    const stored = { ...built, state, options, young: BigInt(state.changed) > now - tick };
    writeStored(connection, stored);
    connection.exec('commit');
    return stored;
  } finally {
    await handle.close();
  }
};

const makePrivate = async (source: TableSource, watch: Watch): Promise<OpenTable> => {
  const connection = await openNew('');
  try {
    return { connection, stored: await fill(connection, source, 0n, watch) };
  } catch (cause) {
    connection.close();
    throw cause;
  }
};

const makeAt = async (place: string, source: TableSource, watch: Watch): Promise<OpenTable> => {
  await mkdir(dirname(place), { recursive: true });
  const folder = await mkdtemp(`${place}.`);
  const path = join(folder, building);
  try {
    await removeLeftovers(place);
    const { mtimeNs } = await stat(folder, { bigint: true });
    const connection = await openNew(path);
    try {
      await fill(connection, source, mtimeNs, watch);
    } finally {
      connection.close();
    }
    await rename(path, place);
    await rmdir(folder);
  } catch (cause) {
    await rm(folder, { recursive: true, force: true });
    throw cause;
  }
  // Another process may have put its own there by now.
  const found = await findStored(place);
  if (found.kind !== 'table') throw new Error('what was built can not be read');
  return found;
};

const mayNotWrite = ['EACCES', 'EPERM', 'EROFS'];

/**
 * Builds the table of a TSV file at the first place that may be written, or, where none may, as a private one that vanishes
 * when it is closed. Builds in a temporary file that then takes the place: several processes at once do not harm each other,
 * and one that is killed leaves nothing that is read. Throws `disk_full`, `kb_build`, `kb_changing`, and what the file is guilty of.
 */
export const makeTable = async (places: readonly string[], source: TableSource, watch: Watch): Promise<OpenTable> => {
  for (const place of [...places, undefined]) {
    try {
      return place === undefined ? await makePrivate(source, watch) : await makeAt(place, source, watch);
    } catch (cause) {
      if (cause instanceof ColophonError || watch.signal?.aborted) throw cause;
      if (place === undefined || !mayNotWrite.includes(codeOf(cause)))
        throw buildFailed(source.file, place ?? 'a temporary file', cause);
    }
  }
  throw new Error('unreachable');
};
