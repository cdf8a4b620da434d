/** Drops a leading BOM, and the `\r` of line ends where every line ends with `\r\n`. */
export const toLines = (text: string): string => {
  const plain = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return hasWindowsLines(plain) ? plain.replaceAll('\r\n', '\n') : plain;
};

/** Whether a text has line ends and `\r` stands before each of them. */
export const hasWindowsLines = (text: string): boolean => {
  let at = text.indexOf('\n');
  if (at < 0) return false;
  while (at > 0 && text.charCodeAt(at - 1) === 13) {
    at = text.indexOf('\n', at + 1);
    if (at < 0) return true;
  }
  return false;
};
