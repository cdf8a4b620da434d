import { type Chat, type Meta, parseMeta, roles, tokenFields } from '@colophon/chat-format';
import { isCall, isOutput } from './read-tool-message.js';

/** One inference of a stored chat: its prompt is the first `end` messages, `meta` the record of it where there is one. */
export type Turn = { end: number; meta?: Meta };

const isInference = (meta: Meta): boolean => 'inference_id' in meta || tokenFields.some((field) => field in meta);

/**
 * Takes what no model sees out of a stored chat and tells its turns: one for each record of an inference, and one for each
 * round of assistant text and calls that has no record. Linear in the size of the chat.
 */
export const takeTurns = (stored: Chat): { chat: Chat; turns: Turn[] } => {
  const chat: Chat = [];
  const turns: Turn[] = [];
  let isRecorded = false;
  let isSaying = false;
  for (const message of stored) {
    if (message.role === 'meta') {
      const meta = parseMeta(message.content);
      if (!isInference(meta)) continue;
      turns.push({ end: chat.length, meta });
      isRecorded = true;
      isSaying = true;
      continue;
    }
    if (roles[message.role]?.visible === false) continue;
    if (message.role === 'assistant' || isCall(message)) {
      if (!isSaying) turns.push({ end: chat.length });
      isSaying = true;
    } else if (!isOutput(message)) {
      isRecorded = false;
      isSaying = false;
    } else if (!isRecorded) isSaying = false;
    chat.push(message);
  }
  return { chat, turns };
};
