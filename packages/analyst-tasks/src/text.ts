import { createHash } from 'node:crypto';

/** Characters as people count them here: code points, so that no pair of surrogates is cut. */
export const characters = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};

/** The first `count` code points. */
export const headOf = (text: string, count: number): string => {
  let end = 0;
  for (let taken = 0; taken < count && end < text.length; taken++) end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  return text.slice(0, end);
};

/** The last `count` code points. */
export const tailOf = (text: string, count: number): string => {
  let start = text.length;
  for (let taken = 0; taken < count && start > 0; taken++) {
    const pair = start > 1 && text.codePointAt(start - 2)! > 0xffff;
    start -= pair ? 2 : 1;
  }
  return text.slice(start);
};

/** First hexadecimal digits of a digest of a text. */
export const digestOf = (text: string, algorithm: 'md5' | 'sha256', digits: number): string =>
  createHash(algorithm).update(text).digest('hex').slice(0, digits);

/** A text of up to `limit` code points as it is; a longer one as head and tail around its length and digest. */
export const fingerprint = (text: string, limit = 150): string => {
  const length = characters(text);
  if (length <= limit) return text;
  const side = Math.floor((limit - 30) / 2);
  return `${headOf(text, side)}<...${length} - ${digestOf(text, 'md5', 12)}...>${tailOf(text, side)}`;
};
