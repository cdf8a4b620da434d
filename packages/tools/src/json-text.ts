import { messageOf } from './message-of.js';
import { wellFormed } from './well-formed.js';

const plain = (_key: string, value: unknown): unknown => {
  if (typeof value === 'string') return wellFormed(value);
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value];
  if (value instanceof Error) return { exception: messageOf(value) };
  return value;
};

/**
 * JSON text of a value. Big integers become digits, maps objects, sets arrays, errors `{exception}`, lone surrogates U+FFFD;
 * what JSON can't hold gives `undefined`, a circular value throws.
 */
export const jsonText = (value: unknown): string | undefined => JSON.stringify(value, plain);
