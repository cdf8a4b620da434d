import { type ContextOptions, compileChat, createContext } from '@colophon/chat-compile';
import type { ColophonError, Message } from '@colophon/chat-format';
import { memoryFiles } from './memory-files.js';

/** A context in `/work` on files in memory. */
export const contextOn = (tree: Record<string, string | Uint8Array> = {}, options: Partial<ContextOptions> = {}) =>
  createContext({ workingDirectory: '/work', files: memoryFiles(tree), ...options });

/** Messages as `[role, content]`. */
export const pairsOf = (chat: readonly Message[]): [string, string][] =>
  chat.map(({ role, content }) => [role, content]);

/** Compiles the file of a tree. */
export const compileFile = async (
  tree: Record<string, string | Uint8Array>,
  options: Partial<ContextOptions> = {},
  file = 'main.chat',
) => pairsOf(await compileChat({ file }, contextOn(tree, options)));

/** The error that a promise ends in. */
export const errorOf = async (promise: Promise<unknown>): Promise<ColophonError> => {
  try {
    await promise;
  } catch (error) {
    return error as ColophonError;
  }
  throw new Error('expected an error');
};
