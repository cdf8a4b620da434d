import { type Chat, parseChat } from '@colophon/chat-format';
import type { Json } from '../vector.js';

/** A chat that is given as text, for the package to parse, or as messages. */
export const toChat = (given: Json): Chat => (typeof given === 'string' ? parseChat(given) : given);

/** The chat of an input, as `messages`, or as `text` or `chat`. */
export const chatOf = (input: Json): Chat => toChat(input.messages ?? input.text ?? input.chat ?? '');

/** Role and content alone. */
export const plainMessages = (chat: readonly { role: string; content: unknown }[]) =>
  chat.map(({ role, content }) => ({ role, content }));
