import { type Message, parseCall, parseOutput } from '@colophon/chat-format';
import { cutIndex } from './cut-text.js';
import { printJson } from './print-json.js';
import { isCall, isOutput } from './read-tool-message.js';

/** What a provider adds to each message: its role and where it ends. */
const messageOverhead = 4;

/**
 * Longest piece that is given to the tokenizer at once: its time grows with the square of a run without white space. A piece
 * more makes at most a token more.
 */
const pieceLength = 1000;

/** Where a piece that begins at `start` ends: at white space near its full length, where there is some. */
const pieceEnd = (text: string, start: number): number => {
  const limit = start + pieceLength;
  if (limit >= text.length) return text.length;
  const space = text.lastIndexOf(' ', limit);
  return space > limit - pieceLength / 4 ? space : Math.max(start + 1, cutIndex(text, limit));
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : printJson(value ?? ''));

/** What of a message is sent. */
const sentText = (message: Message): string => {
  const call = isCall(message) ? parseCall(message.content) : undefined;
  if (call) return call.name + textOf(call.arguments);
  const output = isOutput(message) ? parseOutput(message.content) : undefined;
  return output ? textOf(output.content) : message.content;
};

/**
 * A function that estimates the tokens of a message with the encoding of OpenAI's current models, once for each message.
 * Loads the tokenizer, which takes a third of a second. Linear in the length of the text.
 */
export const tokenCounter = async (): Promise<(message: Message) => number> => {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  const options = { disallowedSpecial: new Set<string>() };
  const known = new WeakMap<Message, number>();
  return (message) => {
    let count = known.get(message);
    if (count !== undefined) return count;
    count = messageOverhead;
    const text = sentText(message);
    for (let start = 0; start < text.length; ) {
      const end = pieceEnd(text, start);
      count += countTokens(text.slice(start, end), options);
      start = end;
    }
    known.set(message, count);
    return count;
  };
};
