import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ConfigEntry, parseConfig } from '@colophon/chat-compile';
import type { Root } from './context.js';

/** An entry of a configuration file and where it stands; lines count from 1. */
export type ConfigLine = ConfigEntry & { file: string; line: number };

/** The configuration file below a root. */
export const configPath = (root: string): string => join(root, 'etc', 'config');

const linesOf = (text: string, file: string): ConfigLine[] => {
  parseConfig(text, file);
  return text
    .split('\n')
    .flatMap((line, index) => parseConfig(line).map((entry) => ({ ...entry, file, line: index + 1 })));
};

const printWord = (word: string) => (/^[^\s"'`#\\][^\s"'`\\]*$/.test(word) ? word : JSON.stringify(word));

/** One entry as its line. */
const printConfigLine = ({ key, value, tokens }: ConfigEntry): string =>
  [key, value, ...tokens].map(printWord).join(' ');

/** Two entries are about the same thing: the same key, the same tokens in any order. */
export const sameEntry = (a: Pick<ConfigEntry, 'key' | 'tokens'>, b: Pick<ConfigEntry, 'key' | 'tokens'>): boolean =>
  a.key === b.key && a.tokens.length === b.tokens.length && a.tokens.every((token) => b.tokens.includes(token));

/** The text of a configuration file with an entry set or, without a value, taken out. Other lines and comments stay. */
export const setEntry = (
  text: string,
  { key, tokens, value }: { key: string; tokens: string[]; value?: string },
  file: string,
): string => {
  const same = new Set(
    linesOf(text, file).flatMap((entry) => (sameEntry(entry, { key, tokens }) ? [entry.line - 1] : [])),
  );
  const kept =
    text === ''
      ? []
      : text
          .replace(/\n$/, '')
          .split('\n')
          .filter((_, index) => !same.has(index));
  return [...kept, ...(value === undefined ? [] : [printConfigLine({ key, value, tokens })])]
    .map((line) => `${line}\n`)
    .join('');
};

/** All entries of these roots, in the order of the roots. */
export const readConfig = (roots: readonly Pick<Root, 'path'>[]): ConfigLine[] =>
  roots.flatMap(({ path }) => {
    const file = configPath(path);
    try {
      return linesOf(readFileSync(file, 'utf8'), file);
    } catch (error) {
      if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
      throw error;
    }
  });
