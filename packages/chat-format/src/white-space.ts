/** White space of a chat file: space, tab, line ends, VT, FF or NUL, and nothing else. */
export const isWhite = (code: number): boolean =>
  code <= 32 && (code === 32 || (code >= 9 && code <= 13) || code === 0);

/** First place in `[from, to)` that is not white space, or `to`. */
export const skipWhite = (text: string, from: number, to: number): number => {
  let at = from;
  while (at < to && isWhite(text.charCodeAt(at))) at += 1;
  return at;
};

/** End of what is left of `[from, to)` without the white space at its end. */
export const trimWhite = (text: string, from: number, to: number): number => {
  let at = to;
  while (at > from && isWhite(text.charCodeAt(at - 1))) at -= 1;
  return at;
};
