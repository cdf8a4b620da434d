const ROLE = 1;
const TAG = 2;
const LETTER = 4;

/** What a character may be a part of, as bits; nothing for all beyond ASCII. */
const table = new Uint8Array(65_536);
const mark = (characters: string, bits: number) => {
  for (const character of characters) table[character.charCodeAt(0)]! |= bits;
};
mark('0123456789', ROLE | TAG);
mark('abcdefghijklmnopqrstuvwxyz', ROLE | TAG | LETTER);
mark('ABCDEFGHIJKLMNOPQRSTUVWXYZ', TAG | LETTER);
mark('_', ROLE | TAG);
mark('-.:', TAG);

/** A character of a role: `a-z`, `0-9`, `_`. */
export const isRolePart = (code: number): boolean => (table[code]! & ROLE) !== 0;

/** A character of a tag's name: `\w . : -`. */
export const isTagPart = (code: number): boolean => (table[code]! & TAG) !== 0;

/** `A-Z` or `a-z`, the first character of a tag's name. */
export const isLetter = (code: number): boolean => (table[code]! & LETTER) !== 0;
