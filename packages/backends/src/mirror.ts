import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Chat, PrintableMessage } from '@colophon/chat-format';
import { type Appender, openAppender } from '@colophon/chat-format/node';
import { keepReset } from './keep-reset.js';
import { readConversation } from './read-conversation.js';
import { same } from './same.js';

/** Brings a transcript up to date with a conversation: what it lacks is appended; one that says otherwise is moved to its `resets/`. */
const open = async (file: string, chat: readonly PrintableMessage[]): Promise<Appender> => {
  const there = await readConversation(file);
  const isBegun = there.length <= chat.length && there.every((message, index) => same(message, chat[index]!));
  if (!isBegun) await keepReset(file);
  await mkdir(dirname(file), { recursive: true });
  const appender = await openAppender(file);
  await appender.append(chat.slice(isBegun ? there.length : 0));
  return appender;
};

/** A second file that holds a whole conversation. It is looked at when something is recorded first, and costs what is new then. */
export const createMirror = (file: string, chat: readonly PrintableMessage[]) => {
  let appender: Promise<Appender> | undefined;
  return async (messages: Chat): Promise<void> => {
    appender ??= open(file, chat);
    await (await appender).append(messages);
  };
};
