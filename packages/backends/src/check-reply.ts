import { normalizeUsage, type Tokens, tokenFields } from '@colophon/chat-format';
import type { Reply, ReplyCall } from './backend.js';
import { invalidReply } from './errors.js';

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Counts under the project's names, or under a provider's; a total is computed where both parts are known. */
export const toTokens = (usage: unknown): Tokens => {
  if (!isRecord(usage)) return {};
  const own = tokenFields.filter((field) => typeof usage[field] === 'number' && (usage[field] as number) >= 0);
  if (own.length === 0) return normalizeUsage(usage);
  const tokens: Tokens = Object.fromEntries(own.map((field) => [field, usage[field]]));
  const { pt, ct, tt } = tokens;
  return tt === undefined && pt !== undefined && ct !== undefined ? { pt, ct, tt: pt + ct, ...tokens } : tokens;
};

const isMessage = (value: unknown): boolean =>
  isRecord(value) && typeof value['role'] === 'string' && typeof value['content'] === 'string';

// An id may be missing: it is made where the call is recorded, and the model is told.
const isCall = (value: unknown): value is ReplyCall => isRecord(value) && typeof value['name'] === 'string';

/** Checks what a backend returned, and completes what it may leave out. Throws `invalid_reply`. */
export const checkReply = (reply: unknown, backend: string): Reply => {
  if (!isRecord(reply)) throw invalidReply(backend, `returned ${reply === null ? 'null' : typeof reply}`);
  const { messages = [], calls = [], usage } = reply;
  if (!Array.isArray(messages) || !messages.every(isMessage))
    throw invalidReply(backend, 'returned `messages` that are no list of {role, content}');
  if (!Array.isArray(calls) || !calls.every(isCall))
    throw invalidReply(backend, 'returned `calls` that are no list of {id, name, arguments}');
  return { ...reply, messages: messages.filter(({ content }) => content !== ''), calls, usage: toTokens(usage) };
};
