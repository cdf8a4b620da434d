import { inspect } from 'node:util';
import type { Credentials } from './backend.js';

const hidden = '[hidden]';

// Shorter values would hide ordinary words.
const shortest = 6;

/** The values of these credentials that no text may hold, longest first. */
export const secretsOf = (credentials: Credentials): string[] => {
  const inUrl = /\/\/(?:([^/@:]+)?:)?([^/@]+)@/.exec(credentials.url ?? '');
  const values = [credentials.key, ...Object.values(credentials.headers ?? {}), inUrl?.[2]];
  const words = values.flatMap((value) =>
    value === undefined ? [] : [value, value.replace(/^(?:Bearer|Basic)\s+/i, '')],
  );
  return [...new Set(words)].filter((word) => word.length >= shortest).sort((a, b) => b.length - a.length);
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
