import { join } from 'node:path';
import { readConversation } from '@colophon/backends';
import type { Chat } from '@colophon/chat-format';
import pLimit, { type LimitFunction } from 'p-limit';
import { folderName } from './folder-name.js';
import type { Society } from './society.js';

/** A conversation with a specialist. What is not saved lives in `chat`; a file is read again for each call. */
export type Conversation = {
  file?: string;
  chat: Chat;
  /** One call after the other. */
  turn: LimitFunction;
  /** The specialist's own specialists. */
  society?: Society;
};

/** A name that goes on under it, or the one call that a conversation is for. Ids of calls are unique in a chat. */
type ConversationName = string | { call: string };

// A name that a model may give has no blank, so that no named conversation is that of a call.
const nameOf = (name: ConversationName): string => (typeof name === 'string' ? name : `one-shot ${name.call}`);

const create = (folder: string | undefined, agent: string, name: ConversationName): Conversation => ({
  ...(folder === undefined ? {} : { file: join(folder, folderName(agent), folderName(nameOf(name)), 'agent.chat') }),
  chat: [],
  turn: pLimit(1),
});

/** A conversation with an agent; one with a name is kept as long as the society lives. */
export const openConversation = (
  { conversations }: Society,
  agent: string,
  name: ConversationName,
  folder: string | undefined,
): Conversation => {
  if (typeof name !== 'string') return create(folder, agent, name);
  const key = JSON.stringify([folder, agent, name]);
  const conversation = conversations.get(key) ?? create(folder, agent, name);
  conversations.set(key, conversation);
  return conversation;
};

/** What has been said in it so far. */
export const readChat = async ({ file, chat }: Conversation): Promise<Chat> =>
  file === undefined ? chat : readConversation(file);
