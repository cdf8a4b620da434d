import { type Chat, parseChat } from '@colophon/chat-format';
import type { Json } from '../vector.js';

/** The chat of an input: given as messages, or as text (under `text` or `chat`) for the package to parse. */
export const chatOf = (input: Json): Chat => input.messages ?? parseChat(input.text ?? input.chat ?? '');

/** Role and content alone. */
export const plainMessages = (chat: readonly { role: string; content: unknown }[]) =>
  chat.map(({ role, content }) => ({ role, content }));
