import { redact } from './redact.js';
import { wellFormed } from './well-formed.js';

const withoutStack = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !/^\s*at \S/.test(line))
    .join('\n');

const own = (thrown: unknown): string => {
  if (thrown === undefined || thrown === null) return '';
  if (typeof thrown === 'string') return thrown;
  if (typeof thrown !== 'object') return String(thrown);
  const { message, name } = thrown as { message?: unknown; name?: unknown };
  if (typeof message === 'string' && message.trim() !== '') return message;
  if (thrown instanceof AggregateError) return thrown.errors.slice(0, 3).map(own).join('; ');
  if (thrown instanceof Error) return typeof name === 'string' ? name : 'Error';
  return JSON.stringify(thrown) ?? '';
};

const chain = (thrown: unknown): string => {
  const parts: string[] = [];
  for (let error = thrown, depth = 0; error !== undefined && depth < 4; depth++) {
    const part = own(error).trim();
    if (part !== '' && !parts.some((earlier) => earlier.includes(part))) parts.push(part);
    error = error instanceof Error ? error.cause : undefined;
  }
  return parts.join(': ');
};

/**
 * What a model may know of anything that was thrown: the messages of the error and its causes, without stack lines, without
 * what looks like a credential. Never throws, whatever getters the thing has.
 */
export const messageOf = (thrown: unknown): string => {
  try {
    return wellFormed(redact(withoutStack(chain(thrown)))).trim() || 'it failed without saying why';
  } catch {
    return 'it failed with something that can not be read';
  }
};
