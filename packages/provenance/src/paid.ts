import { type Meta, type Tokens, tokenFields } from '@colophon/chat-format';

/** The token counts of a record; what is no count (text, negative, infinite) is left out. */
export const tokensOf = (meta: Meta): Tokens => {
  const tokens: Tokens = {};
  for (const field of tokenFields) {
    const value = meta[field];
    if (typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER) tokens[field] = value;
  }
  return tokens;
};

/** A token field that holds no count. */
export const invalidField = (meta: Meta): string | undefined =>
  tokenFields.find((field) => meta[field] !== undefined && tokensOf({ [field]: meta[field]! })[field] === undefined);

/** Whether a record stands for one paid inference: a token field and no job. Running totals are no token fields. */
export const isPaid = (meta: Meta): boolean => {
  if (meta['job'] !== undefined) return false;
  for (const field of tokenFields) if (meta[field] !== undefined) return true;
  return false;
};
