import { type Meta, type TokenField, type Tokens, tokenFields } from '@colophon/chat-format';

/** A number of tokens: not negative, and exact. */
export const isCount = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;

/** The token counts of a record; what is no count (text, negative, infinite) is left out. */
export const tokensOf = (meta: Meta): Tokens => {
  const tokens: Tokens = {};
  for (const field of tokenFields) {
    const value = meta[field];
    if (isCount(value)) tokens[field] = value;
  }
  return tokens;
};

/** A token field that holds no count. */
export const invalidField = (meta: Meta): TokenField | undefined => {
  for (const field of tokenFields) {
    const value = meta[field];
    if (value !== undefined && !isCount(value)) return field;
  }
  return undefined;
};

/** Whether a record stands for one paid inference: a token field and no job. Running totals are no token fields. */
export const isPaid = (meta: Meta): boolean => {
  if (meta['job'] !== undefined) return false;
  for (const field of tokenFields) if (meta[field] !== undefined) return true;
  return false;
};
