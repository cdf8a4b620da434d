import type { Chat, Message } from './message.js';
import { type Meta, parseMeta } from './meta.js';
import { addCounts, isCount, type Tokens, tokenFields } from './usage.js';

const checkpointsOf = (meta: Meta): Meta =>
  Object.fromEntries(
    tokenFields.flatMap((field) => {
      const value = meta[`${field}_c`];
      return value === undefined ? [] : [[`${field}_c`, value]];
    }),
  );

/**
 * Takes the `meta` messages out of a chat. `meta` holds the fields of the last one, with the running `*_c` totals of the
 * last one that has any (a job marker behind it does not reset them); undefined where the chat has no meta.
 */
export const takeMeta = (chat: readonly Message[]): { chat: Chat; meta: Meta | undefined } => {
  const rest = chat.filter((message) => message.role !== 'meta');
  const records = chat.filter((message) => message.role === 'meta');
  let meta: Meta | undefined;
  for (const record of records.reverse()) {
    const fields = parseMeta(record.content);
    const checkpoints = checkpointsOf(fields);
    meta ??= fields;
    if (Object.keys(checkpoints).length === 0) continue;
    meta = { ...checkpoints, ...meta };
    break;
  }
  return { chat: rest, meta };
};

/**
 * The record of one more inference. Each reported count stands as it is; `*_s` is the session's total with it, for reported
 * counts only; `*_c` is the chat's total with it, for all six fields, going on from `current` (never from the session).
 * Pure: identity, time and reasoning are added by whoever records.
 */
export const nextMeta = (tokens: Tokens, current: Meta | undefined, session: Tokens = {}): Meta => {
  const direct: Meta = {};
  const sessionTotals: Meta = {};
  const chatTotals: Meta = {};
  for (const field of tokenFields) {
    const count = isCount(tokens[field]) ? tokens[field] : undefined;
    const before = current?.[`${field}_c`];
    chatTotals[`${field}_c`] = addCounts(isCount(before) ? before : 0, count ?? 0);
    if (count === undefined) continue;
    direct[field] = count;
    sessionTotals[`${field}_s`] = addCounts(isCount(session[field]) ? session[field] : 0, count);
  }
  return { ...direct, ...sessionTotals, ...chatTotals };
};
