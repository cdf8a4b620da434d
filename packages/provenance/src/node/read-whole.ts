import { constants, isUtf8 } from 'node:buffer';
import { closeSync, constants as flags, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { statAt } from './stat.js';

/** What was read of a file; `problem` says why it could not be read, `changed` that it was not the same before and after. */
export type WholeFile =
  | { kind: 'read'; bytes: Buffer; stats: Stats; changed: boolean }
  | { kind: 'unreadable'; problem: string; stats: Stats }
  | { kind: 'vanished' };

/** Facts that tell one state of a file from another. */
export const stateOf = ({ size, mtimeMs, ctimeMs, ino }: Stats): string => `${size} ${mtimeMs} ${ctimeMs} ${ino}`;

/** The facts of a file, links followed; undefined where there is none or its folder can't be entered. */
export const statsOf = (path: string): Stats | undefined => {
  try {
    return statAt(path);
  } catch {
    return undefined;
  }
};

const messageOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

// A text of this runtime can't be longer; a unit of it takes at most three bytes.
const mostBytes = 3 * constants.MAX_STRING_LENGTH;

const readAll = (handle: number, size: number): Buffer => {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const count = readSync(handle, bytes, length, size - length, length);
    if (count === 0) break;
    length += count;
  }
  return bytes.subarray(0, length);
};

/**
 * Reads a regular file once, without waiting: synchronous reads cost a fraction of queued ones, and sessions have tens of thousands
 * of small files. Devices and pipes are not opened. What a writer appends meanwhile is left for the next run. `before`: its facts, where they are known.
 */
export const readWhole = (path: string, before: Stats | undefined = statsOf(path)): WholeFile => {
  if (!before) return { kind: 'vanished' };
  if (!before.isFile()) return { kind: 'unreadable', problem: 'it is no regular file', stats: before };
  if (before.size > mostBytes) return { kind: 'unreadable', problem: 'it is too long for a text', stats: before };
  let handle: number | undefined;
  try {
    handle = openSync(path, flags.O_RDONLY | flags.O_NONBLOCK);
    const stats = fstatSync(handle);
    const bytes = readAll(handle, stats.size);
    const after = statsOf(path);
    return { kind: 'read', bytes, stats, changed: !after || stateOf(after) !== stateOf(stats) };
  } catch (error) {
    const problem = messageOf(error);
    return problem === 'ENOENT' ? { kind: 'vanished' } : { kind: 'unreadable', problem, stats: before };
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
};

/** The text of bytes; what is not UTF-8 reads as U+FFFD. `wrongLine` is the first such line, but for a last character cut off. */
export const toText = (bytes: Buffer): { text: string; wrongLine?: number } => {
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return { text };
  for (let back = 1; back <= 3; back++)
    if ((bytes.at(-back) ?? 0) >= 0xc0 && isUtf8(bytes.subarray(0, -back))) return { text };
  const wrong = text.indexOf('\ufffd');
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < wrong; at = text.indexOf('\n', at + 1)) line++;
  return { text, wrongLine: line };
};
