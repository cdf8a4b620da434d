import { isDeepStrictEqual } from 'node:util';
import { ColophonError } from '@colophon/chat-format';
import { hashOf, openSource, sameState, stateOf } from './file-state.js';
import { type DatabaseWarning, makeTable, type OpenTable, type TableSource, type Watch } from './make-table.js';
import { findStored, type Stored } from './stored-table.js';

/** Whether a table holds what its file says now: by the file's state, and by its content where that leaves a doubt. */
export const isFresh = async (
  stored: Stored,
  { file, options }: TableSource,
  signal?: AbortSignal,
): Promise<boolean> => {
  const handle = await openSource(file);
  try {
    const state = await stateOf(handle);
    if (!isDeepStrictEqual(stored.options, options) || state.size !== stored.state.size) return false;
    if (sameState(state, stored.state) && !stored.young) return true;
    return (await hashOf(handle, signal)) === stored.hash;
  } finally {
    await handle.close();
  }
};

const attempts = 3;

const passes = (cause: unknown): boolean =>
  cause instanceof ColophonError &&
  (cause.code === 'kb_changing' || (cause.cause as { code?: unknown } | undefined)?.code === 'ENOENT') &&
  cause.code !== 'kb_file';

const make = async (places: readonly string[], source: TableSource, watch: Watch): Promise<OpenTable> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await makeTable(places, source, watch);
    } catch (cause) {
      if (attempt === attempts || !passes(cause)) throw cause;
    }
  }
};

const damaged = (place: string, { file }: TableSource): DatabaseWarning => ({
  code: 'kb_damaged',
  message: `${place} is damaged, and is built again from ${file}.`,
});

/** Opens the table of a TSV file: the first that stands at one of the places and is fresh, else a new one. */
export const openTable = async (
  places: readonly string[],
  source: TableSource,
  watch: Watch,
): Promise<OpenTable & { warnings: DatabaseWarning[] }> => {
  const warnings: DatabaseWarning[] = [];
  for (const place of places) {
    const found = await findStored(place);
    if (found.kind === 'damaged') warnings.push(damaged(place, source));
    if (found.kind !== 'table') continue;
    if (await isFresh(found.stored, source, watch.signal)) return { ...found, warnings };
    found.connection.close();
  }
  return { ...(await make(places, source, watch)), warnings };
};

/** Builds a table again that showed damage only when it was read. */
export const remakeTable = async (
  places: readonly string[],
  source: TableSource,
): Promise<OpenTable & { warnings: DatabaseWarning[] }> => ({
  ...(await make(places, source, {})),
  warnings: [damaged(places[0] ?? 'A temporary file', source)],
});
