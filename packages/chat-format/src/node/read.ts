import { type FileHandle, open } from 'node:fs/promises';
import { fileError, fileMissingError, tooLongError } from '../errors.js';
import type { Chat } from '../message.js';
import { parseChat } from '../parse-chat.js';
import { decode, mostBytes } from './decode.js';
import { exists, placesToRead } from './paths.js';

/** `roots`: folders whose `chats/` holds what is named without a folder, best first. */
export type Roots = { roots?: readonly string[] };

/** Reads a chat file; its messages know their places in it. Parses only: nothing is run, and nothing else is read. */
export const loadChat = async (path: string, { roots }: Roots = {}): Promise<Chat> => {
  const places = placesToRead(path, roots);
  for (const place of places) {
    if (await exists(place)) return parseChat(await readText(place), { file: place });
  }
  throw fileMissingError(places);
};

/** Reads a text file, which must be UTF-8. */
export const readText = async (path: string): Promise<string> => {
  try {
    const handle = await open(path, 'r');
    return await readBytes(handle, path)
      .then((bytes) => decode(bytes, path))
      .finally(() => handle.close());
  } catch (cause) {
    throw fileError('read', path, cause);
  }
};

/** All bytes of an open file that is not too long for a text. A device holds none: some (`/dev/full`) would never end. */
export const readBytes = async (handle: FileHandle, path: string): Promise<Buffer> => {
  const facts = await handle.stat();
  if (facts.isCharacterDevice()) return Buffer.alloc(0);
  if (facts.size > mostBytes) throw tooLongError(path);
  return handle.readFile();
};
