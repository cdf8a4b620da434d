import { configure } from 'safe-stable-stringify';

const maxLevels = 500;

const kindOf = (value: unknown): string => {
  if (typeof value === 'number') return String(value);
  if (typeof value !== 'object' || value === null) return value === undefined ? 'undefined' : `a ${typeof value}`;
  return `a ${(value.constructor as { name?: string } | undefined)?.name || 'object with a prototype'}`;
};

/** A part that JSON can't hold, with where it stands below the value that was looked at (`.when`, `[2].size`, or empty). */
export type NotPlain = { path: string; found: string };

const isRecord = (value: object): boolean => {
  const prototype: object | null = Object.getPrototypeOf(value);
  // Objects of another realm have another Object.prototype.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
};

/**
 * The first part of a value that JSON can't hold without loss: dates, big integers, NaN, undefined in lists, functions,
 * instances of classes, circles, more than 500 levels. Keys whose value is undefined count as absent. Cost: the size of the
 * value.
 */
export const findNotPlain = (value: unknown, above = new Set<object>()): NotPlain | undefined => {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : { path: '', found: kindOf(value) };
  if (typeof value !== 'object') return { path: '', found: kindOf(value) };
  if (above.has(value)) return { path: '', found: 'a circle' };
  if (above.size >= maxLevels) return { path: '', found: `more than ${maxLevels} levels` };
  above.add(value);
  const found = Array.isArray(value) ? findInList(value, above) : findInRecord(value, above);
  above.delete(value);
  return found;
};

const findInList = (value: unknown[], above: Set<object>): NotPlain | undefined => {
  for (let index = 0; index < value.length; index++) {
    const found = findNotPlain(value[index], above);
    if (found) return { ...found, path: `[${index}]${found.path}` };
  }
  return undefined;
};

const findInRecord = (value: object, above: Set<object>): NotPlain | undefined => {
  if (!isRecord(value)) return { path: '', found: kindOf(value) };
  for (const [key, inner] of Object.entries(value)) {
    const found = inner === undefined ? undefined : findNotPlain(inner, above);
    if (found) return { ...found, path: `.${key}${found.path}` };
  }
  return undefined;
};

/** JSON with the keys of all objects in the order of their code units: equal values, equal text. For plain values only. */
export const printCanonical = configure({
  deterministic: (a, b) => (a < b ? -1 : 1),
  strict: true,
}) as (value: unknown) => string;

/** Whether two plain values are the same in JSON. */
export const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (a !== undefined && b !== undefined && printCanonical(a) === printCanonical(b));
