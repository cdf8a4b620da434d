import { type Chat, ColophonError, type Message } from '@colophon/chat-format';
import { messageError } from '../errors.js';

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'an array' : typeof value);

const roleOf = (role: unknown): string =>
  typeof role === 'symbol' ? (role.description ?? '') : typeof role === 'string' ? role : '';

const contentOf = (content: unknown): string => {
  if (typeof content === 'string') return content;
  if (content === null || content === undefined) return '';
  if (typeof content === 'symbol') return content.description ?? '';
  const text = typeof content === 'object' ? JSON.stringify(content) : String(content);
  if (typeof content === 'function' || text === undefined) throw new TypeError('its content has no text');
  return text;
};

const isPosition = (at: unknown): boolean => {
  if (typeof at !== 'object' || at === null) return false;
  const { file, line } = at as { file?: unknown; line?: unknown };
  return typeof line === 'number' && (file === undefined || typeof file === 'string');
};

const keyOf = (key: unknown): string => (typeof key === 'symbol' ? (key.description ?? '') : String(key));

const toMessage = (value: unknown, index: number): Message => {
  if (typeof value === 'string') return { role: 'user', content: value };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw messageError(index, kindOf(value));
  const fields: Record<string, unknown> =
    value instanceof Map ? Object.fromEntries([...value].map(([key, field]) => [keyOf(key), field])) : { ...value };
  const role = roleOf(fields['role']);
  if (role === '') throw messageError(index, 'a message without a role');
  // Elsewhere `at` may be anything, such as a time.
  if (!isPosition(fields['at'])) delete fields['at'];
  return { ...fields, role, content: contentOf(fields['content']) };
};

const readMessage = (value: unknown, index: number): Message => {
  try {
    return toMessage(value, index);
  } catch (cause) {
    throw cause instanceof ColophonError ? cause : messageError(index, 'a message that can not be read', cause);
  }
};

/**
 * Makes every message a plain object of its own: texts become `user` messages; `Map`s and objects with another prototype become
 * plain ones; a role or a key that is a symbol becomes its description; content that is no text becomes JSON, nothing becomes '';
 * an `at` that is no position is dropped.
 *
 * @throws ColophonError `invalid_message`.
 */
export const normalise = (chat: readonly unknown[]): Chat => Array.from(chat, readMessage);
