import { notJsonError, type Subject } from './errors.js';

/** A result as content of a message: text as it is, anything else as JSON. */
export const resultText = (value: unknown, subject: Subject): string => {
  if (typeof value === 'string') return value;
  try {
    const text: string | undefined = JSON.stringify(value ?? null);
    if (text !== undefined) return text;
  } catch (cause) {
    throw notJsonError(subject, 'a result', cause);
  }
  throw notJsonError(subject, `a ${typeof value} as result`);
};
