import { statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findFile } from '@colophon/chat-compile';
import { ColophonError } from '@colophon/chat-format';
import { compileContext } from './compile-context.js';
import type { MachineContext } from './context.js';
import { noFile, noSuchFile } from './errors.js';
import { shownPath } from './shown-path.js';

/** Absolute path of a chat that is there: as it is named, or in the libraries (`chats/`) of the roots, with or without `.chat`. */
export const locateChat = async (name: string, context: MachineContext): Promise<string> => {
  try {
    return await findFile(name, compileContext(context));
  } catch (error) {
    if (!(error instanceof ColophonError) || error.code !== 'not_found') throw error;
    const places = error.facts['places'] as string[];
    const folders = [...new Set(places.map((place) => shownPath(dirname(place), context)))];
    throw noSuchFile(name, name.includes('/') ? [] : folders, error);
  }
};

const factsOf = (path: string) => statSync(path, { throwIfNoEntry: false });

/** Folder that new chats with a bare name go to: the library of the first writable root that has one, else yours. */
const library = ({ roots, userRoot }: MachineContext): string => {
  const folders = roots.filter(({ writable }) => writable).map(({ path }) => join(path, 'chats'));
  return folders.find((path) => factsOf(path)?.isDirectory()) ?? join(userRoot, 'chats');
};

/**
 * Absolute path of a chat that may have to be made. A new one stands where its path says; a bare name (no folder, no
 * ending: `notes`) goes to the library.
 */
export const placeChat = async (name: string, context: MachineContext): Promise<string> => {
  const path = resolve(context.workingDirectory, name);
  if (factsOf(path)?.isDirectory()) throw noFile(name);
  const found = await locateChat(name, context).catch(() => undefined);
  if (found !== undefined) return found;
  return /^[^/\\.]+$/.test(name) ? join(library(context), name) : path;
};
