import { type FileHandle, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileError, noAnswerError } from '../errors.js';
import type { Chat, Message, PrintableMessage } from '../message.js';
import { printChat } from '../print-chat.js';
import { besideFile, withLock } from './lock.js';
import { exists, placeToWrite, realTarget } from './paths.js';
import type { Roots } from './read.js';

/** `force: false` leaves a file that exists as it is. */
export type WriteOptions = Roots & { force?: boolean };

/** Where the file stands, and whether it was written now. */
export type WriteResult = { written: boolean; path: string };

/** Writes the stored messages of a chat. */
export const save = (
  chat: readonly PrintableMessage[],
  path: string,
  options: WriteOptions = {},
): Promise<WriteResult> => writeText(path, options, () => `${printChat(chat)}\n`);

/** Writes what a chat compiles to, by the compiler that is handed in. */
export const write = (
  chat: Chat,
  path: string,
  { compile, ...options }: WriteOptions & { compile: (chat: Chat) => Promise<readonly PrintableMessage[]> },
): Promise<WriteResult> => writeText(path, options, async () => `${printChat(await compile(chat))}\n`);

/** Writes the text of a chat's last message that is no `previous_response_id`, and nothing else. */
export const writeAnswer = (chat: readonly Message[], path: string, options: WriteOptions = {}): Promise<WriteResult> =>
  writeText(path, options, () => {
    const answer = chat.findLast((message) => message.role !== 'previous_response_id');
    if (!answer) throw noAnswerError(path);
    return answer.content;
  });

const writeText = async (path: string, { force = true, roots }: WriteOptions, text: () => string | Promise<string>) => {
  const place = await placeToWrite(path, roots);
  if (!force && (await exists(place))) return { written: false, path: place };
  const printed = await text();
  return withLock(place, async (target) => {
    if (!force && (await exists(target))) return { written: false, path: place };
    await writeAtomically(target, printed, { locked: true });
    return { written: true, path: place };
  });
};

let written = 0;

/**
 * Writes a file that is at no time half there: into a temporary file of the same folder, which then takes its place,
 * and its mode and owner. Creates the folder; follows symbolic links. A device or a pipe is written to, not replaced.
 * With `locked` the caller holds the file's lock: what a killed process left of its temporary file is then written over.
 */
export const writeAtomically = async (path: string, text: string, { locked = false } = {}): Promise<void> => {
  const target = await realTarget(path);
  written += 1;
  const temporary = besideFile(target, locked ? 'tmp' : `${process.pid}-${written}.tmp`);
  try {
    const before = await stat(target).catch(() => undefined);
    if (before?.isDirectory()) throw Object.assign(new Error('is a directory'), { code: 'EISDIR' });
    if (before && !before.isFile()) return await writeFile(target, text);
    await rm(temporary, { force: true });
    const handle = await open(temporary, 'wx', before?.mode);
    try {
      await handle.writeFile(text);
      if (before) await keepOwner(handle, before);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, target);
    await syncFolder(target);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => {});
    throw fileError('write', path, cause);
  }
};

const keepOwner = async (handle: FileHandle, { mode, uid, gid }: { mode: number; uid: number; gid: number }) => {
  // Only root may give a file away; a file that another user owns is then ours, with the same mode.
  await handle.chown(uid, gid).catch(() => {});
  await handle.chmod(mode);
};

/** Makes a new name in a folder last through a power cut, where the system can. */
export const syncFolder = async (target: string): Promise<void> => {
  try {
    const folder = await open(dirname(target), 'r');
    await folder.sync().finally(() => folder.close());
  } catch {}
};
