import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, mkdir, open, rename, unlink } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { textStart } from './cut-text.js';

/** Longest note that is delivered whole, in characters; of a longer one the beginning, with a line that says so. */
const noteLimit = 100_000;

/** A note that was moved to where delivered notes lie. `hash`: the first 12 hex digits of the SHA-256 of the delivered bytes. */
export type TakenNote = { name: string; file: string; text: string; hash: string };

/** Why a note stays where it is. `gone`: another reader took it. `empty`: its writer may be about to fill it. */
export type Untaken = {
  reason: 'gone' | 'empty' | 'not_a_file' | 'unreadable' | 'binary' | 'immovable';
  cause?: unknown;
};

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;
const untaken = (reason: Untaken['reason'], cause: unknown): Untaken => ({
  reason: codeOf(cause) === 'ENOENT' || codeOf(cause) === 'ENOTDIR' ? 'gone' : reason,
  cause,
});

/** Neither follows a link nor waits for the writer of a pipe. */
const openNote = (path: string): Promise<FileHandle> =>
  open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));

const readStart = async (file: FileHandle, length: number): Promise<Buffer> => {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  for (let read = 1; read > 0 && filled < length; filled += read) {
    read = (await file.read(buffer, filled, length - filled, filled)).bytesRead;
  }
  return buffer.subarray(0, filled);
};

/** Undefined where the note is text that can be read. */
const refusal = async (path: string, mayBeEmpty: boolean): Promise<Untaken | undefined> => {
  let file: FileHandle | undefined;
  try {
    file = await openNote(path);
    const stat = await file.stat();
    if (!stat.isFile()) return { reason: 'not_a_file' };
    if (stat.size === 0 && !mayBeEmpty) return { reason: 'empty' };
    return (await readStart(file, 8192)).includes(0) ? { reason: 'binary' } : undefined;
  } catch (error) {
    return untaken(codeOf(error) === 'ELOOP' ? 'not_a_file' : 'unreadable', error);
  } finally {
    await file?.close();
  }
};

const numbered = (name: string, number: number): string => {
  const extension = extname(name);
  return number === 0 ? name : `${name.slice(0, name.length - extension.length)}.${number}${extension}`;
};

/** Makes an empty file under the first free name, exclusively, so that no reader can overwrite what another one moved. */
const reserve = async (folder: string, name: string): Promise<string> => {
  await mkdir(folder, { recursive: true });
  for (let number = 0; ; number++) {
    const file = join(folder, numbered(name, number));
    try {
      await (await open(file, 'wx')).close();
      return file;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }
};

const deliveredText = async (file: string): Promise<{ text: string; hash: string }> => {
  const handle = await openNote(file);
  try {
    const { size } = await handle.stat();
    const bytes = await readStart(handle, Math.min(size, noteLimit * 4));
    const whole = new TextDecoder().decode(bytes);
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
    if (bytes.length === size && whole.length <= noteLimit) return { text: whole, hash };
    const start = textStart(whole, noteLimit);
    return {
      text: `${start}\n[The note has ${size} bytes; these are its first ${start.length} characters. The whole is in ${file}.]`,
      hash,
    };
  } finally {
    await handle.close();
  }
};

/**
 * Moves a note to the folder of delivered ones, then reads it. The move is one rename, which keeps the time stamp and which
 * only one of several readers can win; a name that is taken gets a number before its extension. A note that can't be
 * delivered is left where it is.
 */
export const takeNote = async (
  inbox: string,
  removed: string,
  name: string,
  mayBeEmpty = false,
): Promise<TakenNote | Untaken> => {
  const path = join(inbox, name);
  const refused = await refusal(path, mayBeEmpty);
  if (refused) return refused;
  let file: string;
  try {
    file = await reserve(removed, name);
  } catch (error) {
    return { reason: 'immovable', cause: error };
  }
  try {
    await rename(path, file);
  } catch (error) {
    await unlink(file).catch(() => {});
    return untaken('immovable', error);
  }
  try {
    return { name, file, ...(await deliveredText(file)) };
  } catch (error) {
    return untaken('unreadable', error);
  }
};
