const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** Takes backslashes off as JSON does; one that means nothing in JSON stays (`"C:\dir"`). */
const unescaped = (text: string): string =>
  text.replace(/\\(u[0-9a-fA-F]{4}|["\\/nrtbf])/g, (_, code: string) =>
    code.length > 1 ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (escapes[code] ?? code),
  );

/** The value of a double-quoted text that begins at `start`, and the index behind its closing quote; undefined if it has none. */
export const readQuoted = (text: string, start: number): { value: string; end: number } | undefined => {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return { value: unescaped(text.slice(start + 1, at)), end: at + 1 };
  }
  return undefined;
};

/** The same for single quotes, inside which nothing is special. */
export const readSingleQuoted = (text: string, start: number): { value: string; end: number } | undefined => {
  const end = text.indexOf("'", start + 1);
  return end < 0 ? undefined : { value: text.slice(start + 1, end), end: end + 1 };
};

/** Words apart by white space. A word in double or single quotes may hold white space; a quote inside a word is a letter. */
export const splitWords = (text: string): { value: string; quoted: boolean }[] => {
  const words: { value: string; quoted: boolean }[] = [];
  const bare = /\S+/y;
  for (let at = 0; at < text.length; ) {
    const letter = text[at] as string;
    if (/\s/.test(letter)) {
      at++;
      continue;
    }
    const quoted = letter === '"' ? readQuoted(text, at) : letter === "'" ? readSingleQuoted(text, at) : undefined;
    if (quoted && (quoted.end === text.length || /\s/.test(text[quoted.end] as string))) {
      words.push({ value: quoted.value, quoted: true });
      at = quoted.end;
    } else {
      bare.lastIndex = at;
      const [word] = bare.exec(text) as RegExpExecArray;
      words.push({ value: word, quoted: false });
      at += word.length;
    }
  }
  return words;
};
