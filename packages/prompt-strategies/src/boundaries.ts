import type { Chat, Message } from '@colophon/chat-format';
import { noticeCounts } from './notice.js';
import { isCall, isOutput } from './read-tool-message.js';

const isSaidByModel = (message: Message): boolean => message.role === 'assistant' || isCall(message);

/** How many messages at the end of a chat are such. */
const trailing = (chat: Chat, end: number, holds: (message: Message) => boolean): number => {
  let start = end;
  while (start > 0 && holds(chat[start - 1]!)) start--;
  return start;
};

/**
 * The places (exclusive ends, ascending) where a stable prefix of a prompt ends: after the leading system messages; after
 * the last shortened group, or the notice; where the prompt of the previous inference ended; and where this one ends without
 * notes from the inbox, which the next one will not hold. At most four, as many as the marks that Anthropic takes.
 */
export const stableBoundaries = (chat: Chat): number[] => {
  let system = 0;
  while (chat[system]?.role === 'system') system++;
  let compacted =
    chat.findLastIndex((message) => message['compacted'] === true || noticeCounts(message) !== undefined) + 1;
  while (compacted > 0 && chat[compacted] && isOutput(chat[compacted]!)) compacted++;
  const end = trailing(chat, chat.length, (message) => message['inbox'] !== undefined);
  const lastSaid = trailing(chat, end, (message) => !isSaidByModel(message));
  const previous = trailing(chat, lastSaid, isSaidByModel);
  return [...new Set([system, compacted, previous, end])].filter((index) => index > 0).sort((a, b) => a - b);
};
