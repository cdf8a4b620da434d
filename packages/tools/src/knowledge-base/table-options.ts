import { isRecord } from '../is-record.js';
import { badOptions } from './errors.js';

/** How the cells of a row are read: see `eachAssociation`. */
export const tableTypes = ['double', 'list', 'single', 'flat'] as const;

/** How a TSV file is read as associations. Columns are told by name, or by number from 1. */
export type TableOptions = {
  /** Column of the source; else the first that is not the target. */
  source?: string;
  /** Column of the target; else the first that is not the source. */
  target?: string;
  /** Columns that qualify an association; else all others. */
  fields?: string[];
  /** `a~b` is `b~a` too. */
  undirected?: boolean;
  /** `double` unless told otherwise. */
  type?: (typeof tableTypes)[number];
  /** What stands between cells; a tab unless told otherwise. */
  sep?: string;
  /** False: without a line of names that starts with `#`, the first line is data, and columns have numbers. */
  header?: boolean;
};

/** Options of a database: those of its table, and what it is about. */
export type DatabaseOptions = TableOptions & { description?: string };

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';
const text = { fits: isText, expected: 'text' };

const known: Record<keyof DatabaseOptions, { fits: (value: unknown) => boolean; expected: string }> = {
  source: text,
  target: text,
  fields: { fits: (value) => Array.isArray(value) && value.every(isText), expected: 'a list of columns' },
  undirected: { fits: isBoolean, expected: 'true or false' },
  type: { fits: (value) => (tableTypes as readonly unknown[]).includes(value), expected: tableTypes.join(', ') },
  sep: {
    fits: (value) => isText(value) && !/^\/.+\/$|[\n\r]/.test(value as string),
    expected: 'the text between cells (no pattern)',
  },
  header: { fits: isBoolean, expected: 'true or false' },
  description: { fits: (value) => typeof value === 'string', expected: 'text' },
};

/** Checks options; throws `kb_options` that says which one is wrong and what was expected. */
export const checkOptions = (options: unknown, where: string): DatabaseOptions => {
  if (!isRecord(options)) throw badOptions(where, 'expected an object of options');
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(known, name))
      throw badOptions(where, `there is no option \`${name}\`; known: ${Object.keys(known).join(', ')}`);
    const { fits, expected } = known[name as keyof DatabaseOptions];
    if (!fits(value)) throw badOptions(where, `\`${name}\` must be ${expected}, received ${JSON.stringify(value)}`);
  }
  return options as DatabaseOptions;
};

const asBoolean = (word: string): unknown => (word === 'true' ? true : word === 'false' ? false : word);

const asList = (word: string): unknown => {
  if (!word.startsWith('[')) return word.split(',').map((part) => part.trim());
  try {
    return JSON.parse(word);
  } catch {
    return word;
  }
};

const readers: Record<string, (word: string) => unknown> = {
  fields: asList,
  undirected: asBoolean,
  header: asBoolean,
  sep: (word) => word.replaceAll('\\t', '\t'),
  type: (word) => word.replace(/^:/, ''),
};

const readWord = (name: string, word: string): unknown => (Object.hasOwn(readers, name) ? readers[name]?.(word) : word);

const readWords = (words: Record<string, string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(words).map(([name, word]) => [name, readWord(name, word)]));

/** Options written as text (`fields=a,b undirected=true`), typed and checked. */
export const optionsOfWords = (words: Record<string, string>, where: string): DatabaseOptions =>
  checkOptions(readWords(words), where);

/** Options in the first line of a Scout TSV (`#: :sep=,#:type=:flat`); those that say nothing of the table are left out. */
export const optionsOfPreamble = (line: string, where: string): DatabaseOptions => {
  const words = line
    .replace(/^#:/, '')
    .split('#')
    .flatMap((part) => {
      const [, name, value] = /^\s*:?(\w+)=(.*?)\s*$/.exec(part) ?? [];
      return name !== undefined && value !== undefined && Object.hasOwn(known, name)
        ? [[name, value.replace(/^(["'])(.*)\1$/, '$2')] as const]
        : [];
    });
  return optionsOfWords(Object.fromEntries(words), where);
};
