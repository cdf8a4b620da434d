import { isRecord } from './is-record.js';
import { headOf, wellFormed } from './well-formed.js';

/** Arguments as an object, or what is wrong with them in words that a model can mend. */
export type ParsedArguments = { arguments: Record<string, unknown> } | { problem: string };

const tryParse = (text: string): { value: unknown } | { problem: string } => {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
};

/** The value of JSON text, also where it was encoded more than once; anything else, and text that is no JSON, as it is. */
export const readJson = (sent: unknown): unknown => {
  let value = sent;
  while (typeof value === 'string') {
    const parsed = tryParse(value);
    if ('problem' in parsed) return wellFormed(value);
    value = parsed.value;
  }
  return value;
};

const kind = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'an array' : `a ${typeof value}`;

/** Reads what a model sent as arguments: a JSON object, its text, or nothing (blank text, null), which is no arguments. */
export const parseArguments = (sent: unknown): ParsedArguments => {
  const value = readJson(sent);
  if (value === undefined || value === null) return { arguments: {} };
  if (isRecord(value)) return { arguments: value };
  if (typeof value !== 'string') {
    return { problem: `The arguments must be a JSON object, with one key for each argument; received ${kind(value)}.` };
  }
  if (value.trim() === '') return { arguments: {} };
  const parsed = tryParse(value);
  const reason = 'problem' in parsed ? parsed.problem : 'text';
  const received = value.length > 200 ? `${headOf(value, 200)}…` : value;
  return { problem: `The arguments are not JSON (${reason}). Received: ${received}\nSend a JSON object.` };
};
