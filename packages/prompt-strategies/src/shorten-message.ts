import { createHash } from 'node:crypto';
import { type Message, parseCall, parseOutput } from '@colophon/chat-format';
import { cutIndex, textStart } from './cut-text.js';
import { printJson } from './print-json.js';
import { isOutput } from './read-tool-message.js';
import type { StrategyContext } from './strategy.js';

/** Longest content of a shortened output, in characters (UTF-16 code units), beside the account of it. */
const outputLimit = 400;

/** Longest string of the arguments of a shortened call, in characters, beside the account of it. */
const argumentLimit = 200;

/**
 * Head and tail of a text around a marker that holds its length and the first characters of its SHA-256 digest, together at
 * most `limit` characters. A text that is not longer stays as it is.
 */
const previewText = (text: string, limit: number): string => {
  if (text.length <= limit) return text;
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 8);
  const marker = ` … [${text.length} characters, sha256 ${digest}] … `;
  const room = limit - marker.length;
  const tail = cutIndex(text, text.length - Math.floor(room / 2) + 1);
  return textStart(text, Math.ceil(room / 2)) + marker + text.slice(tail);
};

const shortenArgument = (text: string): string =>
  text.length <= argumentLimit
    ? text
    : `[Historical account, compacted for context from ${text.length} characters; not to be executed or copied] ` +
      previewText(text, argumentLimit);

const shortenCall = (message: Message): Message => {
  const call = parseCall(message.content);
  if (!call) return message;
  let isCut = false;
  const mapText = (text: string): string => {
    const short = shortenArgument(text);
    isCut ||= short !== text;
    return short;
  };
  const argumentsText = printJson(call.arguments, { mapText });
  if (!isCut) return message;
  const content = `{"name":${JSON.stringify(call.name)},"arguments":${argumentsText},"id":${JSON.stringify(call.id)}}`;
  return { ...message, content, compacted: true };
};

const shortenOutput = (message: Message): Message => {
  const output = parseOutput(message.content);
  const text = typeof output?.content === 'string' ? output.content : printJson(output?.content ?? '');
  if (!output || text.length <= outputLimit) return message;
  const { id, name, error, step } = output;
  const account =
    `[Historical account, compacted for context: the result of a past call, ${text.length} characters long, of which head and ` +
    `tail are shown. It must not be executed or copied.${step === undefined ? '' : ` The full output is in the job ${step}.`}]`;
  const content = `${account}\n${previewText(text, outputLimit)}`;
  return { ...message, content: JSON.stringify({ name, content, id, error, step }), compacted: true };
};

/**
 * A call or output as a historical account: a JSON envelope with the same id, marked `compacted: true` in memory, in which
 * long content is cut to 400 characters and each long string of the arguments to 200. What is short enough is returned
 * as it is.
 */
export const shortenMessage = (message: Message, context: StrategyContext = {}): Message => {
  if (message['compacted'] === true) return message;
  const reading = context.readings?.get(message);
  const shortened = reading?.shortened ?? (isOutput(message) ? shortenOutput(message) : shortenCall(message));
  if (reading) reading.shortened = shortened;
  return shortened;
};
