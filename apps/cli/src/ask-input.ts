import { dirname, isAbsolute, relative } from 'node:path';
import type { Chat } from '@colophon/chat-format';
import { loadChat } from '@colophon/chat-format/node';
import type { MachineContext } from './context.js';
import { placeChat } from './locate-chat.js';

/** Imports of the question as lines of the chat's file: from its folder, each once. */
const forFile = async (question: Chat, file: string): Promise<Chat> => {
  const folder = dirname(file);
  const stored = await loadChat(file).catch(() => []);
  const known = new Set(stored.flatMap(({ role, content }) => (role === 'import' ? [content] : [])));
  return question.flatMap((message) => {
    if (message.role !== 'import') return [message];
    const below = relative(folder, message.content);
    const content = below.startsWith('..') || isAbsolute(below) ? message.content : below;
    return known.has(content) ? [] : [{ ...message, content }];
  });
};

/** What is asked: the question alone, or a chat's file and the question that is to stand behind it. */
export const toInput = async (question: Chat, chat: string | undefined, context: MachineContext) => {
  if (chat === undefined) return question;
  const file = await placeChat(chat, context);
  const asked = await forFile(question, file);
  return { file, ...(asked.length > 0 ? { question: asked } : {}) };
};
