const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xdc00;

/** The nearest place in a text, at or below `index`, that does not part a surrogate pair. */
export const cutIndex = (text: string, index: number): number =>
  index > 0 && index < text.length && isHighSurrogate(text.charCodeAt(index - 1)) ? index - 1 : index;

/** The beginning of a text, of at most `limit` characters (UTF-16 code units). */
export const textStart = (text: string, limit: number): string => text.slice(0, cutIndex(text, limit));
