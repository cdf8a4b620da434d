import { inputsError, type Subject } from './errors.js';
import { readQuoted, readSingleQuoted } from './quoted.js';
import { scalarValue } from './typed-value.js';

/** What was read, and the index behind it. */
export type Read<T> = { value: T; end: number };

/** Index of the first letter at or behind `start` that a pattern (with the flag `g`) matches, else the end of the text. */
export const indexOf = (pattern: RegExp, text: string, start: number): number => {
  pattern.lastIndex = start;
  return pattern.exec(text)?.index ?? text.length;
};

/** Index of the first letter at or behind `start` that is no white space. */
export const skipSpace = (text: string, start: number): number => indexOf(/\S/g, text, start);

/** Index of the first white space at or behind `start`. */
export const endOfWord = (text: string, start: number): number => indexOf(/\s/g, text, start);

/** Whether a word ends at an index. */
export const isEnd = (text: string, at: number): boolean => at >= text.length || /\s/.test(text[at] as string);

/** A double-quoted text, or one in single quotes with nothing behind it; undefined where there is none. */
const readQuotes = (text: string, at: number, subject: Subject): Read<string> | undefined => {
  if (text[at] === '"') {
    const quoted = readQuoted(text, at);
    if (!quoted)
      throw inputsError(subject, 'a `"` that is never closed', 'quotes in pairs', 'Write `\\"` inside quotes.');
    return quoted;
  }
  const quoted = text[at] === "'" ? readSingleQuoted(text, at) : undefined;
  return quoted && (isEnd(text, quoted.end) || text[quoted.end] === ',') ? quoted : undefined;
};

/** A JSON array or object up to its last bracket; text where the brackets hold no JSON. */
const readBrackets = (text: string, start: number, key: string, subject: Subject): Read<unknown> => {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const letter = text[at] as string;
    if (letter === '"') at = (readQuoted(text, at)?.end ?? text.length) - 1;
    else if (letter === '[' || letter === '{') depth++;
    else if ((letter === ']' || letter === '}') && --depth === 0) {
      const end = endOfWord(text, at + 1);
      const value = text.slice(start, end);
      try {
        return { value: JSON.parse(value), end };
      } catch {
        return { value, end };
      }
    }
  }
  throw inputsError(
    subject,
    `\`${text[start]}\` in ${key} that is never closed`,
    'brackets in pairs',
    'Put text in quotes.',
  );
};

/** One text, or a list of texts with commas between. A comma at the end adds nothing. */
const readItems = (text: string, start: number, key: string, subject: Subject): Read<unknown> => {
  const items: string[] = [];
  let isText = false;
  let at = start;
  for (;;) {
    const quoted = readQuotes(text, at, subject);
    if (quoted) {
      items.push(quoted.value);
      at = quoted.end;
      isText = true;
      if (!isEnd(text, at) && text[at] !== ',') {
        const behind = text.slice(at, endOfWord(text, at));
        throw inputsError(subject, `${JSON.stringify(behind)} right behind the quotes of ${key}`, 'a space there');
      }
    } else {
      const end = indexOf(/[\s,]/g, text, at);
      items.push(text.slice(at, end));
      at = end;
    }
    if (text[at] !== ',') break;
    at++;
    if (isEnd(text, at)) return { value: items, end: at };
  }
  const [only = ''] = items;
  if (items.length > 1) return { value: items, end: at };
  return { value: isText ? only : bareValue(only), end: at };
};

/** Text without quotes: `:name` is the original's symbol, `.5` a number, the rest as everywhere. */
export const bareValue = (text: string): unknown => {
  if (/^:[A-Za-z_]\w*$/.test(text)) return text.slice(1);
  return /^\.\d+$/.test(text) ? Number(text) : scalarValue(text);
};

/**
 * Reads the value of an input: JSON in brackets, texts in quotes, a list of texts, or a bare value.
 *
 * @throws ColophonError `invalid_inputs`.
 */
export const readValue = (text: string, at: number, key: string, subject: Subject): Read<unknown> =>
  text[at] === '[' || text[at] === '{' ? readBrackets(text, at, key, subject) : readItems(text, at, key, subject);
