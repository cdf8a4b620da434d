import type { StoredException } from './job.js';
import { isMarshal, parseMarshal, type RubyObject } from './ruby-marshal.js';

const maxCauses = 10;

const textOf = (read: () => unknown): string | undefined => {
  try {
    const value = read();
    return value === undefined || value === null || value === '' ? undefined : String(value);
  } catch {
    return undefined;
  }
};

/** Whatever was thrown, as plain JSON; causes up to ten deep. Never throws. */
export const toStoredException = (thrown: unknown, depth = 0): StoredException => {
  if (typeof thrown !== 'object' || thrown === null)
    return { name: 'Error', message: textOf(() => thrown) ?? String(thrown) };
  const error = thrown as Record<string, unknown>;
  const code = textOf(() => (typeof error['code'] === 'string' ? error['code'] : undefined));
  const stack = textOf(() => error['stack']);
  const cause = depth < maxCauses ? causeOf(error) : undefined;
  return {
    name: textOf(() => error['name']) ?? 'Error',
    message:
      textOf(() => error['message']) ??
      (thrown instanceof Error ? '' : (textOf(() => JSON.stringify(thrown)) ?? 'an object')),
    ...(code === undefined ? {} : { code }),
    ...(stack === undefined ? {} : { stack }),
    ...(cause === undefined ? {} : { cause: toStoredException(cause, depth + 1) }),
  };
};

const causeOf = (error: Record<string, unknown>): unknown => {
  try {
    return error['cause'] ?? undefined;
  } catch {
    return undefined;
  }
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): value is string => typeof value === 'string';

const isStored = (value: unknown, depth = 0): value is StoredException =>
  isRecord(value) &&
  isText(value['name']) &&
  isText(value['message']) &&
  (value['stack'] === undefined || isText(value['stack'])) &&
  (value['code'] === undefined || isText(value['code'])) &&
  (value['cause'] === undefined || (depth < 2 * maxCauses && isStored(value['cause'], depth + 1)));

const toStack = (lines: unknown): { stack?: string } => {
  const stack = Array.isArray(lines) ? lines.filter(isText).join('\n') : '';
  return stack === '' ? {} : { stack };
};

/** `Class: text`, as the last message of a failed job has it. */
const fromMessage = (message: string): StoredException => {
  const [, name = 'Error', text = message] = /^([A-Z][\w:]*): (.*)$/s.exec(message) ?? [];
  return { name, message: text };
};

const fromRecord = (value: Record<string, unknown>): StoredException | undefined => {
  const { json_class: className, m: text, b: lines, name, message, backtrace, stack } = value;
  if (isText(className)) return { name: className, message: isText(text) ? text : className, ...toStack(lines) };
  if (!isText(message)) return undefined;
  return {
    name: isText(name) ? name : 'Error',
    message,
    ...(isText(stack) ? { stack } : toStack(backtrace)),
  };
};

const fromMarshal = (bytes: Uint8Array): StoredException | undefined => {
  const { value } = parseMarshal(bytes);
  const { class: name, values } = (isRecord(value) && isRecord(value['values']) ? value : {}) as Partial<RubyObject>;
  if (!isText(name) || !values) return undefined;
  // Ruby takes the name of the class for a message that is not there.
  return { name, message: isText(values['mesg']) ? values['mesg'] : name, ...toStack(values['bt']) };
};

const fromText = (text: string): StoredException | undefined => {
  if (text.startsWith('BAh')) {
    const bytes = Buffer.from(text, 'base64');
    return isMarshal(bytes) ? fromMarshal(bytes) : undefined;
  }
  if (!/^\s*\{/.test(text)) return text.trim() === '' ? undefined : fromMessage(text);
  try {
    const value: unknown = JSON.parse(text);
    return isStored(value) ? value : isRecord(value) ? fromRecord(value) : undefined;
  } catch {
    return undefined;
  }
};

/**
 * A stored exception as any version wrote it: ours; Ruby's as Base64 of `Marshal.dump`; as JSON with `json_class`, `m` and `b`;
 * or plain text. Undefined where none of these can be read; then `exceptionOfMessage` has what else is known.
 */
export const readException = (value: unknown): StoredException | undefined => {
  if (isStored(value)) return value;
  if (isText(value)) return fromText(value);
  return isRecord(value) ? fromRecord(value) : undefined;
};

/** What the last message of a failed job says of its exception. */
export const exceptionOfMessage = (messages: readonly string[]): StoredException | undefined => {
  const last = messages.at(-1);
  return last === undefined ? undefined : fromMessage(last);
};
