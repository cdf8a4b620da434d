import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { readText } from '@colophon/chat-format/node';
import type { MachineContext } from './context.js';
import { readStdin } from './read-stdin.js';
import { shownPath } from './shown-path.js';

/** Text of a chat that was named on the command line. `file` is its name in what is told; `path` is absent for standard input. */
export type ChatText = { text: string; file: string; path?: string };

// A file that is there needs no search, and its start-up no searching code.
const locate = async (name: string, context: MachineContext): Promise<string> => {
  const path = resolve(context.workingDirectory, name);
  if (statSync(path, { throwIfNoEntry: false })?.isFile()) return path;
  return (await import('./locate-chat.js')).locateChat(name, context);
};

/** Reads the chat that a word names: a file, a chat of the library, or `-` for standard input. */
export const readChatText = async (name: string, context: MachineContext): Promise<ChatText> => {
  if (name === '-') return { text: (await readStdin(context, { expected: true })) ?? '', file: 'standard input' };
  const path = await locate(name, context);
  const file = shownPath(path, context);
  return { text: await readText(file), file, path };
};
