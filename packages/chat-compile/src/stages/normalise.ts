import type { Chat, Message } from '@colophon/chat-format';
import { messageError } from '../errors.js';

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value);

const roleOf = (role: unknown): string =>
  typeof role === 'symbol' ? (role.description ?? '') : typeof role === 'string' ? role : '';

const contentOf = (content: unknown): string => {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  if (typeof content === 'symbol') return content.description ?? '';
  return typeof content === 'object' ? JSON.stringify(content) : String(content);
};

const keyOf = (key: unknown): string => (typeof key === 'symbol' ? (key.description ?? '') : String(key));

const toMessage = (value: unknown, index: number): Message => {
  if (typeof value === 'string') return { role: 'user', content: value };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw messageError(index, kindOf(value));
  const fields: Record<string, unknown> =
    value instanceof Map ? Object.fromEntries([...value].map(([key, field]) => [keyOf(key), field])) : { ...value };
  const role = roleOf(fields['role']);
  if (role === '') throw messageError(index, 'a message without a role');
  return { ...fields, role, content: contentOf(fields['content']) };
};

/**
 * Makes every message a plain object of its own: texts become `user` messages; `Map`s and objects with another prototype become
 * plain ones; a role or a key that is a symbol becomes its description; content that is no text becomes JSON, nothing becomes ''.
 *
 * @throws ColophonError `invalid_message`.
 */
export const normalise = (chat: readonly unknown[]): Chat => chat.map(toMessage);
