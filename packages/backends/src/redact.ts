/// <reference lib="es2024.string" />
import { inspect } from 'node:util';
import { queryValues } from './address.js';
import type { Credentials } from './backend.js';

const hidden = '[hidden]';

// Shorter values would hide ordinary words.
const shortest = 6;

// `Basic dXNlcjpwYXNz` is `user:pass`.
const wordsOf = (value: string): string[] => {
  const [, scheme, word = value] = /^(Bearer|Basic)\s+(.*)$/is.exec(value) ?? [];
  if (scheme?.toLowerCase() !== 'basic') return [value, word];
  const pair = Buffer.from(word, 'base64').toString();
  // A token may stand in the place of the user.
  return [value, word, pair, ...(/^([^:]*):?(.*)$/s.exec(pair) ?? []).slice(1)];
};

// As it stands, in an address, in JSON, and as Node prints a text.
const formsOf = (word: string): string[] => [
  word,
  encodeURIComponent(word.toWellFormed()),
  JSON.stringify(word).slice(1, -1),
  inspect(word).slice(1, -1),
];

/** The values of these credentials that no text may hold, in the forms that texts have them, longest first. */
export const secretsOf = ({ key, headers = {}, url = '', ...more }: Credentials): string[] => {
  const named = Object.entries(more).flatMap(([name, value]) =>
    typeof value === 'string' && /key|token|secret/i.test(name) ? [value] : [],
  );
  const values = [...(key === undefined ? [] : [key]), ...named, ...Object.values(headers), ...queryValues(url)];
  const words = values
    .flatMap(wordsOf)
    .filter((word) => word.length >= shortest)
    .flatMap(formsOf);
  return [...new Set(words)].sort((a, b) => b.length - a.length);
};

/** Replaces every known secret of a text. */
export const redact = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((result, secret) => result.replaceAll(secret, hidden), text);

/**
 * A cause that can be kept: the very same where nothing in it holds a secret, else an error with the same name, message,
 * `status` and `code` in which they are hidden.
 */
export const redactCause = (cause: unknown, secrets: readonly string[]): unknown => {
  if (secrets.length === 0 || cause === undefined) return cause;
  const shown = inspect(cause, { depth: 12, maxStringLength: null, maxArrayLength: null, showHidden: true });
  if (!secrets.some((secret) => shown.includes(secret))) return cause;
  const { name, message, stack, status, code } = cause as Record<string, unknown>;
  const clean = (value: unknown) => (typeof value === 'string' ? redact(value, secrets) : value);
  const copy = new Error(redact(typeof message === 'string' ? message : String(cause), secrets));
  if (typeof name === 'string') copy.name = redact(name, secrets);
  if (typeof stack === 'string') copy.stack = redact(stack, secrets);
  const rest = { status: clean(status), code: clean(code) };
  return Object.assign(copy, Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)));
};
