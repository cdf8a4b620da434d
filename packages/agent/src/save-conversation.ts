import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readConversation } from '@colophon/backends';
import type { Chat } from '@colophon/chat-format';
import { appendMessages } from '@colophon/chat-format/node';
import { fileDiffers } from './errors.js';
import { isSame } from './start-of.js';

/** Appends what a file lacks of a conversation. Throws `save_file_differs` where it holds another one. */
export const saveConversation = async (file: string, chat: Chat): Promise<void> => {
  const held = await readConversation(file);
  const difference = held.findIndex((message, index) => !isSame(message, chat[index]));
  if (difference >= 0) throw fileDiffers(file, difference);
  await mkdir(dirname(file), { recursive: true });
  await appendMessages(file, chat.slice(held.length));
};
