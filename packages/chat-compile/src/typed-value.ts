import { readQuoted, readSingleQuoted } from './quoted.js';

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A number, where the text is one in JSON and nothing of it would be lost: ids of many digits and `007` are text. */
const toNumber = (text: string): number | undefined => {
  if (!number.test(text)) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value)) return undefined;
  return /[.eE]/.test(text) || Number.isSafeInteger(value) || String(value) === text ? value : undefined;
};

const toJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** A text without quotes as it is meant: JSON scalars, `nil` and `null` as null, the rest as text. */
export const scalarValue = (text: string): unknown => {
  if (text === 'true') return true;
  if (text === 'false') return false;
  if (text === 'null' || text === 'nil') return null;
  return toNumber(text) ?? text;
};

/**
 * A value as a person writes it in a chat: JSON scalars, arrays and objects are parsed; quotes, double or single, keep a string a
 * string; `nil` and `null` are null; the rest is text.
 */
export const typedValue = (text: string): unknown => {
  const trimmed = text.trim();
  const first = trimmed[0];
  if (first === '{' || first === '[') return toJson(trimmed);
  const quoted = first === '"' ? readQuoted(trimmed, 0) : first === "'" ? readSingleQuoted(trimmed, 0) : undefined;
  if (quoted?.end === trimmed.length) return quoted.value;
  return scalarValue(trimmed);
};
