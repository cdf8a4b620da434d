import { open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { ColophonError } from './errors.js';
import { onAbort } from './on-abort.js';
import type { PlannedJob } from './plan.js';
import type { ResultType } from './result-types.js';
import { nothingReturnedError, wrongTypeError } from './run-errors.js';

/** Bytes of a result that a task wrote itself, up to which it is read to see whether it fits its type. */
const checkedBytes = 20_000_000;

/** Types whose results may come bit by bit. */
export const streamTypes: ReadonlySet<string> = new Set(['text', 'string', 'binary', 'chat']);

type Chunk = string | Uint8Array;

const isStream = (value: unknown): value is AsyncIterable<Chunk> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** Whether a task's value is a result that comes bit by bit. */
export const isStreamed = (value: unknown, { type }: PlannedJob): value is AsyncIterable<Chunk> =>
  streamTypes.has(type) && isStream(value);

/** A piece of text without the half of a surrogate pair that it ends with: what comes next has the other half. */
const cutPair = (text: string): { whole: string; rest: string } => {
  const last = text.charCodeAt(text.length - 1);
  const cut = last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
  return { whole: text.slice(0, cut), rest: text.slice(cut) };
};

const writeStream = async (
  chunks: AsyncIterable<Chunk>,
  path: string,
  signal: AbortSignal,
  { shortPath, type }: PlannedJob,
): Promise<void> => {
  const file = await open(path, 'w');
  const close = (): Promise<void> => file.close().catch(() => undefined);
  // A stream that was given up may never go on.
  const stopListening = onAbort(signal, close);
  let half = '';
  try {
    for await (const chunk of chunks) {
      signal.throwIfAborted();
      if (typeof chunk !== 'string' && !(chunk instanceof Uint8Array))
        throw wrongTypeError(shortPath, type, `it is a stream of ${typeof chunk}`);
      if (typeof chunk === 'string') {
        const { whole, rest } = cutPair(half + chunk);
        half = rest;
        await file.writeFile(whole);
      } else await file.writeFile(chunk);
    }
    await file.writeFile(half);
  } finally {
    stopListening();
    await close();
  }
};

const problemOf = (bytes: Uint8Array, { problem, read }: ResultType): string | undefined => {
  try {
    return problem(read(bytes));
  } catch (error) {
    const { facts, message } = error as ColophonError;
    return typeof facts?.['problem'] === 'string' ? facts['problem'] : message;
  }
};

const checkWritten = async (path: string, { shortPath, type, plan: { resultType } }: PlannedJob): Promise<void> => {
  const facts = await stat(path).catch(() => undefined);
  if (!facts?.isFile()) throw nothingReturnedError(shortPath, type);
  if (facts.size > checkedBytes) return;
  const problem = problemOf(await readFile(path), resultType);
  if (problem !== undefined) throw wrongTypeError(shortPath, type, `of the file that it wrote, ${problem}`);
};

/**
 * Writes what a task returned to its temporary path: a value by its type, a stream as it comes. A task that returned nothing has written
 * it itself.
 */
export const writeResult = async (
  job: PlannedJob,
  value: unknown,
  { temporaryPath, signal }: { temporaryPath: string; signal: AbortSignal },
): Promise<void> => {
  if (isStreamed(value, job)) return writeStream(value, temporaryPath, signal, job);
  if (value === undefined) return checkWritten(temporaryPath, job);
  const { resultType } = job.plan;
  const problem = resultType.problem(value);
  if (problem !== undefined) throw wrongTypeError(job.shortPath, job.type, problem);
  await writeFile(temporaryPath, resultType.print(value));
};

/** Removes what a run wrote that came to nothing. */
export const dropResult = (path: string): Promise<void> => rm(path, { force: true }).catch(() => undefined);
