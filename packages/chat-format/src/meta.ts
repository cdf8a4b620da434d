import { metaKeyError, metaValueError } from './errors.js';
import { isWhite, skipWhite, trimWhite } from './white-space.js';

/**
 * The fields of a `meta` message. A key is one or more of `A-Z a-z 0-9 _`. A number is a safe integer or a finite decimal;
 * anything else is text.
 */
export type Meta = Record<string, string | number>;

const isWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || code === 95;

type Key = { name: string; start: number; end: number };

/** The next `key=` at a word's start; `start` is its first character, `end` the first behind `=`. */
const nextKey = (text: string, from: number): Key | undefined => {
  for (let equals = text.indexOf('=', from); equals !== -1; equals = text.indexOf('=', equals + 1)) {
    let start = equals;
    while (start > from && isWord(text.charCodeAt(start - 1))) start--;
    const free = start === 0 || isWhite(text.charCodeAt(start - 1));
    if (start < equals && free) return { name: text.slice(start, equals), start, end: equals + 1 };
  }
  return undefined;
};

/** A quote closes only where the text ends behind it, or white space and a new key follow. */
const closes = (text: string, behind: number): boolean => {
  let at = skipWhite(text, behind, text.length);
  if (at === text.length) return true;
  if (at === behind) return false;
  const word = at;
  while (at < text.length && isWord(text.charCodeAt(at))) at++;
  return at > word && text[at] === '=';
};

const quotationMark = 34;
const backslash = 92;

const closingQuote = (text: string, from: number): number => {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === backslash) at++;
    else if (code === quotationMark && closes(text, at + 1)) return at;
  }
  return -1;
};

const escapes: Record<string, string> = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\r': '\\r' };
const escaped: Record<string, string> = { '\\': '\\', '"': '"', n: '\n', r: '\r' };
const unquote = (text: string): string =>
  !text.includes('\\') ? text : text.replace(/\\([\\"nr])/g, (_, letter: string) => escaped[letter] ?? '');
const quote = (text: string): string => `"${text.replace(/[\\"\n\r]/g, (letter) => escapes[letter] ?? '')}"`;

const isNumber = (value: number): boolean =>
  Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));

/** Longest text of a JavaScript number that is not an integer beyond 2^53. */
const longestNumber = 25;

/** A text of digits without a leading zero, of a length that every integer of it is exact. */
const isPlainInteger = (text: string): boolean => {
  if (text.length === 0 || text.length > 15 || (text.length > 1 && text.charCodeAt(0) === 48)) return false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 48 || code > 57) return false;
  }
  return true;
};

const typed = (text: string): string | number => {
  if (isPlainInteger(text)) return Number(text);
  const first = text.charCodeAt(0);
  const mayBeNumber = (first === 45 || (first >= 48 && first <= 57)) && text.length <= longestNumber;
  const value = mayBeNumber ? Number(text) : Number.NaN;
  return isNumber(value) && String(value) === text ? value : text;
};

const trimmed = (text: string, from: number, to: number): string => {
  const start = skipWhite(text, from, to);
  return text.slice(start, trimWhite(text, start, to));
};

const ownProperty = { configurable: true, enumerable: true, writable: true };

/**
 * Reads `key=value` pairs. An unquoted value runs to the next ` key=` or to the end; a quoted one to the first unescaped
 * quote behind which a new key or the end follows, so that inner quotes need no escape. A quote that never closes is text.
 * Text without pairs has no fields; of a repeated key the last value counts. Linear in the length of the text.
 */
export const parseMeta = (text: string): Meta => {
  const fields: Meta = {};
  // Whether a quote closes depends on its place alone: where no closing one was found, none follows later either.
  let mayClose = true;
  let key = nextKey(text, 0);
  while (key) {
    const close = mayClose && text[key.end] === '"' ? closingQuote(text, key.end + 1) : -1;
    if (close === -1 && text[key.end] === '"') mayClose = false;
    const next = nextKey(text, close === -1 ? key.end : close + 1);
    const value =
      close === -1
        ? typed(trimmed(text, key.end, next?.start ?? text.length))
        : unquote(text.slice(key.end + 1, close));
    if (key.name === '__proto__') Object.defineProperty(fields, key.name, { ...ownProperty, value });
    else fields[key.name] = value;
    key = next;
  }
  return fields;
};

const needsQuotes = (value: string): boolean =>
  /["=\n\r]/.test(value) ||
  isWhite(value.charCodeAt(0)) ||
  isWhite(value.charCodeAt(value.length - 1)) ||
  !Number.isNaN(Number(value));

const printValue = (key: string, value: unknown): string => {
  if (typeof value === 'string') return needsQuotes(value) ? quote(value) : value;
  if (typeof value === 'number' && isNumber(value)) return String(value);
  throw metaValueError(key, value);
};

const lengthOf = (value: unknown): number => (typeof value === 'string' ? value.length : 0);

/**
 * Writes fields on one line, the exact inverse of `parseMeta`: numbers first, then texts by length, the longest last. `-0` is
 * written as `0`; an undefined field is left out.
 *
 * @throws ColophonError `meta_key` for a key that would not be read back, `meta_value` for a value that is neither text nor
 *   a number that reads back as itself (NaN, infinite, an integer beyond 2^53).
 */
export const printMeta = (meta: Meta): string =>
  Object.entries(meta)
    .filter(([, value]) => value !== undefined)
    .sort(([, a], [, b]) => lengthOf(a) - lengthOf(b))
    .map(([key, value]) => {
      if (!/^\w+$/.test(key)) throw metaKeyError(key);
      return `${key}=${printValue(key, value)}`;
    })
    .join(' ');
