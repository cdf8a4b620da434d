import { readText } from '@colophon/chat-format/node';
import type { MachineContext } from './context.js';
import { locateChat, shownPath } from './locate-chat.js';
import { readStdin } from './read-stdin.js';

/** Text of a chat that was named on the command line. `file` is its name in what is told; `path` is absent for standard input. */
export type ChatText = { text: string; file: string; path?: string };

/** Reads the chat that a word names: a file, a chat of the library, or `-` for standard input. */
export const readChatText = async (name: string, context: MachineContext): Promise<ChatText> => {
  if (name === '-') return { text: (await readStdin(context, { expected: true })) ?? '', file: 'standard input' };
  const path = await locateChat(name, context);
  const file = shownPath(path, context);
  return { text: await readText(file), file, path };
};
