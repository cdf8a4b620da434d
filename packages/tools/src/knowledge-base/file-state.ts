import { createHash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { unreadable } from './errors.js';

/** What tells that a file is the one that was read: times in nanoseconds, as text. */
export type FileState = { size: string; modified: string; changed: string; inode: string };

/** Opens a file to read; throws `kb_file`. The caller closes it. */
export const openSource = async (file: string): Promise<FileHandle> => {
  try {
    const handle = await open(file, 'r');
    if ((await handle.stat()).isFile()) return handle;
    await handle.close();
  } catch (cause) {
    throw unreadable(file, cause);
  }
  throw unreadable(file, new Error('expected a plain file'));
};

const toFileState = ({ size, mtimeNs, ctimeNs, ino }: BigIntStats): FileState => ({
  size: String(size),
  modified: String(mtimeNs),
  changed: String(ctimeNs),
  inode: String(ino),
});

/** Whether two states are one. */
export const sameState = (a: FileState, b: FileState): boolean =>
  a.size === b.size && a.modified === b.modified && a.changed === b.changed && a.inode === b.inode;

/** The state of an open file now. */
export const stateOf = async (handle: FileHandle): Promise<FileState> =>
  toFileState(await handle.stat({ bigint: true }));

/** The bytes of an open file from its start; an abort throws. `onBytes` is told how many were read. */
export async function* chunksOf(
  handle: FileHandle,
  { signal, onBytes }: { signal?: AbortSignal | undefined; onBytes?: (done: number) => void } = {},
): AsyncGenerator<Buffer> {
  let done = 0;
  for await (const chunk of handle.createReadStream({ start: 0, autoClose: false, highWaterMark: 1 << 20 })) {
    signal?.throwIfAborted();
    done += chunk.length;
    yield chunk;
    onBytes?.(done);
  }
}

/** SHA-256 of an open file, in hex. */
export const hashOf = async (handle: FileHandle, signal?: AbortSignal): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of chunksOf(handle, { signal })) hash.update(chunk);
  return hash.digest('hex');
};
