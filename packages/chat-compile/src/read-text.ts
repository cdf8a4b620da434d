import { stopIfAborted } from './abort.js';
import type { CompileContext } from './context.js';
import { notTextError, type Subject, tooLargeError, unreadableError } from './errors.js';

/** The longest string of the common engines, in characters; a file of fewer bytes fits. */
const longestString = 0x1fff_ffe8;

/** Bytes as text; undefined where they are no UTF-8. A byte order mark is dropped. */
export const decodeText = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** Reads bytes, with errors that name the directive. `length`: only the first bytes. */
export const readBytes = async (path: string, context: CompileContext, subject: Subject, length?: number) => {
  stopIfAborted(context);
  try {
    return await context.files.readBytes(path, length);
  } catch (cause) {
    stopIfAborted(context);
    throw unreadableError(subject, path, cause);
  }
};

/**
 * Reads a file that must be text and at most `limit` bytes. NUL is text here: a chat may hold it.
 *
 * @throws ColophonError `too_large`, `unreadable`, `not_text`.
 */
export const readText = async (
  path: string,
  size: number,
  context: CompileContext,
  subject: Subject,
  limit = longestString,
): Promise<string> => {
  if (size > limit) throw tooLargeError(subject, path, size, limit);
  const bytes = await readBytes(path, context, subject);
  if (bytes.length > limit) throw tooLargeError(subject, path, bytes.length, limit);
  const text = decodeText(bytes);
  if (text === undefined) throw notTextError(subject, path);
  return text;
};
