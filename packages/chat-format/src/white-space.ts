/** Tells whether a UTF-16 code is white space in a chat file: space, tab, line ends, VT, FF or NUL, and nothing else. */
export const isWhite = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === 0;

/** First place in `[from, to)` that is not white space, or `to`. */
export const skipWhite = (text: string, from: number, to: number): number => {
  while (from < to && isWhite(text.charCodeAt(from))) from += 1;
  return from;
};

/** End of what is left of `[from, to)` without the white space at its end. */
export const trimWhite = (text: string, from: number, to: number): number => {
  while (to > from && isWhite(text.charCodeAt(to - 1))) to -= 1;
  return to;
};
