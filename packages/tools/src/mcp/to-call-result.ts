import { type Message, parseOutput } from '@colophon/chat-format';
import { isRecord } from '../is-record.js';
import { jsonText } from '../json-text.js';

/** An answer of the protocol to a call: one text, and whether it is an error. */
export type CallResult = { content: [{ type: 'text'; text: string }]; isError?: true };

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

// `{"exception": message}` alone is the message; where it says more, the whole is kept.
const failureText = (content: string): string => {
  const read = readJson(content);
  const exception = isRecord(read) && Object.keys(read).length === 1 ? read['exception'] : undefined;
  return typeof exception === 'string' ? exception : content;
};

/** The output message of a call as the answer of the protocol. What is only cut is no error. */
export const toCallResult = (output: Message): CallResult => {
  const { content, error } = parseOutput(output.content) ?? { content: output.content };
  const text = typeof content === 'string' ? content : (jsonText(content) ?? '');
  return error && error !== 'truncated'
    ? { content: [{ type: 'text', text: failureText(text) }], isError: true }
    : { content: [{ type: 'text', text }] };
};
