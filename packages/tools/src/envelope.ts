import { type Message, printCall } from '@colophon/chat-format';
import { jsonText } from './json-text.js';
import { failure, type Outcome } from './outcome.js';
import { readJson } from './parse-arguments.js';
import { wellFormed } from './well-formed.js';

/** A call that can be answered: with an id, its own or a made one, and a name that is text. */
export type NamedCall = { id: string; name: string; arguments: unknown; hasId: boolean };

/** When a round began and when the call ended, ISO 8601. */
export type CallTimes = { start: string; end: string };

// FNV-1a, so that the id made for a call is the same wherever it is made.
const hash = (text: string): string => {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return (value >>> 0).toString(16).padStart(8, '0');
};

const attempt = <T>(read: () => T): T | undefined => {
  try {
    return read();
  } catch {
    return undefined;
  }
};

// The recorded call is read back as the one that is answered now. What JSON can't hold (a value that contains itself, or is nested
// deeper than the stack) is recorded as text that is no JSON, so that no tool ever runs on less than what was sent.
const toRecordedArguments = (sent: unknown): unknown => {
  const read = attempt(() => ({ value: readJson(sent) }));
  const text = read && attempt(() => jsonText(read.value ?? {}));
  return text === undefined ? '(arguments that can not be written as JSON)' : (readJson(text) ?? {});
};

/** A call as it is recorded and answered, whatever the model sent. A missing id is made from the call and its position. */
export const toNamedCall = (call: unknown, index: number): NamedCall => {
  const read = (key: string): unknown => attempt(() => (call as Record<string, unknown> | null)?.[key]);
  // A call without a name could not be read back, and its output would belong to none.
  const name = attempt(() => wellFormed(String(read('name') ?? ''))) || 'unnamed';
  const sent = toRecordedArguments(read('arguments'));
  const id = attempt(() => wellFormed(String(read('id') ?? '')));
  return !id
    ? { id: `missing-${index + 1}-${hash(`${name}\n${jsonText(sent)}`)}`, name, arguments: sent, hasId: false }
    : { id, name, arguments: sent, hasId: true };
};

/** The `function_call` message of a call. */
export const callMessage = ({ id, name, arguments: sent }: NamedCall): Message => ({
  role: 'function_call',
  content: printCall({ id, name, arguments: sent }),
});

/** The `function_call_output` message of a call: its envelope as JSON, keys in a fixed order. */
export const outputMessage = ({ id, name }: NamedCall, outcome: Outcome, { start, end }: CallTimes): Message => {
  const print = ({ content, error, step, meta }: Outcome): string =>
    jsonText({
      name,
      content,
      id,
      ...(error ? { error } : {}),
      ...(step ? { step } : {}),
      ...(meta && meta.length > 0 ? { meta } : {}),
      start_timestamp: start,
      timestamp: end,
    }) ?? '';
  const content =
    attempt(() => print(outcome)) ?? print(failure('error', "The tool's receipts can not be written as JSON."));
  return { role: 'function_call_output', content };
};
