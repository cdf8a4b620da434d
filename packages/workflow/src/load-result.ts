import { readFile, stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { ColophonError } from './errors.js';
import type { JobRecord } from './job.js';
import { noResultError } from './record-errors.js';
import { type ResultType, type ResultTypes, resultTypes } from './result-types.js';

/** The type that is recorded, else the one of the file's extension; undefined where neither says it. */
const typeOf = ({ type, name }: Pick<JobRecord, 'type' | 'name'>, types: ResultTypes): ResultType | undefined => {
  if (type !== undefined) return Object.hasOwn(types, type) ? types[type] : undefined;
  const extension = extname(name);
  return extension === '' ? undefined : Object.values(types).find((one) => one.extension === extension);
};

const toTextOrBytes = (bytes: Uint8Array): unknown => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes;
  }
};

/**
 * Loads the result of a job that was read. A result of no known type is text where it is UTF-8, else its bytes. Throws
 * `no_result`, and `bad_result` where the file does not hold what its type says.
 */
export const loadResult = async (
  { path, type, name, status }: Pick<JobRecord, 'path' | 'type' | 'name' | 'status'>,
  types: ResultTypes = resultTypes,
): Promise<unknown> => {
  let bytes: Uint8Array;
  try {
    if (!(await stat(path)).isFile()) throw new Error('It is no file.');
    bytes = await readFile(path);
  } catch (cause) {
    throw noResultError(path, status, cause);
  }
  const known = typeOf({ name, ...(type === undefined ? {} : { type }) }, types);
  try {
    return known ? known.read(bytes) : toTextOrBytes(bytes);
  } catch (error) {
    const { code, message } = error as ColophonError;
    throw new ColophonError(code ?? 'bad_result', `${path}: ${message}`, { path, cause: error });
  }
};
