import type { Chat } from '@colophon/chat-format';
import { toConfigEntry } from '../configuration.js';
import type { CompileContext } from '../context.js';

/**
 * Sets what each `config: key value token…` says in the context, and takes these messages out.
 *
 * @throws ColophonError `invalid_config`.
 */
export const config = (chat: Chat, context: CompileContext): Chat => {
  if (context.policy === 'inspect') return chat;
  return chat.filter((message) => {
    if (message.role !== 'config') return true;
    context.config.push(toConfigEntry(message.content, message));
    return false;
  });
};
