import { type Chat, isDirective, type Message } from '@colophon/chat-format';
import type { CompileContext } from '../context.js';

const isResponseId = ({ role }: Message): boolean => role === 'previous_response_id';
const isEmpty = ({ role, content }: Message): boolean => !/\S/.test(content) && !isDirective(role);

/** A chat without empty messages and without some roles, by default those that no prompt holds. A directive may be empty. */
export const cleanRoles = (chat: Chat, roles: readonly string[] = ['skip', 'previous_response_id']): Chat =>
  chat.filter((message) => !roles.includes(message.role) && !isEmpty(message));

/** A chat without its `previous_response_id` messages. */
export const purge = (chat: Chat): Chat => chat.filter((message) => !isResponseId(message));

/** The same, and the last id that was taken out. */
export const pull = (chat: Chat): { chat: Chat; id?: string } => {
  const id = chat.findLast(isResponseId)?.content;
  return { chat: purge(chat), ...(id === undefined ? {} : { id }) };
};

/**
 * Drops empty messages and `skip`. Of `previous_response_id` only the last one stays, where it stands: `takeOptions` takes it out
 * of the prompt and says what came before it.
 */
export const clean = (chat: Chat, { policy }: CompileContext): Chat => {
  if (policy === 'inspect') return chat;
  const kept = cleanRoles(chat, ['skip']);
  const last = kept.findLastIndex(isResponseId);
  return kept.filter((message, index) => !isResponseId(message) || index === last);
};
