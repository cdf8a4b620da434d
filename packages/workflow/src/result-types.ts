import { badResultError } from './result-errors.js';
import { json, yaml } from './structured-types.js';
import { toText } from './to-text.js';

/** How a result is kept in a file: its extension (with dot, or empty), value to bytes and back, and what fits the type. */
export type ResultType = {
  extension: string;
  /** What is wrong with a value of this type, in a few words; undefined where it fits. */
  problem: (value: unknown) => string | undefined;
  print: (value: unknown) => string | Uint8Array;
  read: (bytes: Uint8Array) => unknown;
};

/** Result types by name. Extend by spreading. */
export type ResultTypes = Record<string, ResultType>;

// As Ruby's `strip` has it.
const blank = '\0\t\n\v\f\r ';

/** Text without the white space around it. */
const strip = (text: string): string => {
  let start = 0;
  let end = text.length;
  while (start < end && blank.includes(text[start]!)) start++;
  while (end > start && blank.includes(text[end - 1]!)) end--;
  return text.slice(start, end);
};

const kind = (value: unknown): string =>
  value === null || value === undefined ? `it is ${value}` : `it is a ${Array.isArray(value) ? 'list' : typeof value}`;

const textProblem = (value: unknown): string | undefined => {
  if (typeof value !== 'string') return `${kind(value)}, not text`;
  return /\p{Cs}/u.test(value) ? 'it holds half a surrogate pair, which no file can' : undefined;
};

/** Lines that each end in a newline; a last one without is a line, too. */
const toLines = (text: string): string[] => {
  const lines = text.split('\n');
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
};

const cellProblem = (value: unknown, place: string, sign: RegExp, name: string): string | undefined => {
  const problem = textProblem(value);
  if (problem) return `${place}: ${problem}`;
  return sign.test(value as string) ? `${place} holds ${name}` : undefined;
};

const firstProblem = (
  value: unknown,
  look: (element: unknown, index: number) => string | undefined,
): string | undefined => {
  if (!Array.isArray(value)) return `${kind(value)}, not a list`;
  for (let index = 0; index < value.length; index++) {
    const problem = look(value[index], index);
    if (problem) return problem;
  }
  return undefined;
};

const printNumber = (value: unknown): string => (Object.is(value, -0) ? '-0' : String(value));

const readNumber = (type: string, text: string, pattern: RegExp): number => {
  if (!pattern.test(text)) throw badResultError(type, `it begins ${JSON.stringify(text.slice(0, 40))}`);
  return Number(text);
};

const string: ResultType = {
  extension: '',
  problem: (value) =>
    textProblem(value) ??
    (strip(value as string) === value
      ? undefined
      : 'it has white space around it, which the type string takes off. Trim it, or declare the type text'),
  print: (value) => value as string,
  read: (bytes) => strip(toText(bytes)),
};

const text: ResultType = {
  extension: '',
  problem: textProblem,
  print: (value) => value as string,
  read: toText,
};

const integer: ResultType = {
  extension: '',
  problem: (value) =>
    Number.isSafeInteger(value)
      ? undefined
      : `${typeof value === 'number' ? `it is ${value}` : kind(value)}, no integer below 2^53`,
  print: printNumber,
  read: (bytes) => {
    // A float that was stored as an integer is cut, as the original does.
    const number = Math.trunc(readNumber('integer', strip(toText(bytes)), /^[+-]?\d+(?:\.\d+)?$/));
    if (!Number.isSafeInteger(number)) throw badResultError('integer', 'it is too large to be exact');
    return number;
  },
};

const float: ResultType = {
  extension: '',
  problem: (value) =>
    Number.isFinite(value)
      ? undefined
      : `${typeof value === 'number' ? `it is ${value}` : kind(value)}, no finite number`,
  print: printNumber,
  read: (bytes) =>
    readNumber('float', strip(toText(bytes)), /^(?:[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|NaN|-?Infinity)$/),
};

const truths = /^(?:true|t|1|yes|y|on)$/i;
const untruths = /^(?:false|f|0|no|n|off)?$/i;

const boolean: ResultType = {
  extension: '',
  problem: (value) => (typeof value === 'boolean' ? undefined : `${kind(value)}, neither true nor false`),
  print: String,
  read: (bytes) => {
    const word = strip(toText(bytes));
    if (truths.test(word)) return true;
    if (untruths.test(word)) return false;
    throw badResultError('boolean', `it begins ${JSON.stringify(word.slice(0, 40))}`);
  },
};

const array: ResultType = {
  extension: '',
  problem: (value) =>
    firstProblem(value, (element, index) => cellProblem(element, `element ${index + 1}`, /\n/, 'a line end')),
  print: (value) => (value as string[]).map((line) => `${line}\n`).join(''),
  read: (bytes) => toLines(toText(bytes)),
};

const tsv: ResultType = {
  extension: '.tsv',
  problem: (value) =>
    firstProblem(value, (row, index) => {
      const place = `row ${index + 1}`;
      if (Array.isArray(row) && row.length === 0) return `${place} has no cell`;
      const problem = firstProblem(row, (cell, column) =>
        cellProblem(cell, `cell ${column + 1}`, /[\t\n]/, 'a tab or line end'),
      );
      return problem && `${place}: ${problem}`;
    }),
  print: (value) => (value as string[][]).map((row) => `${row.join('\t')}\n`).join(''),
  read: (bytes) => toLines(toText(bytes)).map((line) => line.split('\t')),
};

const binary: ResultType = {
  extension: '',
  problem: (value) => (value instanceof Uint8Array ? undefined : `${kind(value)}, not bytes (Uint8Array)`),
  print: (value) => value as Uint8Array,
  read: (bytes) => bytes,
};

/**
 * The package's result types; `print` and `read` are exact inverses for what fits. `array`: texts, one a line; `tsv`: rows of
 * cells of text, a header being a row like others; `chat`: its text, until a layer above knows messages.
 */
export const resultTypes = {
  string,
  text,
  integer,
  float,
  boolean,
  array,
  json,
  yaml,
  tsv,
  binary,
  chat: { ...text, extension: '.chat' },
} satisfies ResultTypes;
