/// <reference lib="es2024.string" />
import { type Message, normalizeUsage, type Tokens, tokenFields } from '@colophon/chat-format';
import { type Reply, type ReplyCall, type StopReason, stopReasons } from './backend.js';
import { invalidReply } from './errors.js';
import { isRecord } from './shape.js';

/** Counts under the project's names, or under a provider's; a total is computed where both parts are known. */
export const toTokens = (usage: unknown): Tokens => {
  if (!isRecord(usage)) return {};
  const own = tokenFields.filter((field) => typeof usage[field] === 'number' && (usage[field] as number) >= 0);
  if (own.length === 0) return normalizeUsage(usage);
  const tokens: Tokens = Object.fromEntries(own.map((field) => [field, usage[field]]));
  const { pt, ct, tt } = tokens;
  return tt === undefined && pt !== undefined && ct !== undefined ? { pt, ct, tt: pt + ct, ...tokens } : tokens;
};

// Any other role in the file of a chat would be an order, or somebody else's word.
const roles = ['assistant', 'image', 'pdf'];

// Half of a surrogate pair can stand in JSON, but in no file: it is replaced, so that what is paid for can be recorded.
const toMessage = (value: unknown, backend: string): Message => {
  if (!isRecord(value) || typeof value['role'] !== 'string' || typeof value['content'] !== 'string')
    throw invalidReply(backend, 'returned `messages` that are no list of {role, content}');
  const { role, content } = value;
  if (!roles.includes(role))
    throw invalidReply(backend, `returned a message of the role \`${role}\`, not ${roles.join(', ')}`);
  return { ...value, role, content: content.toWellFormed() };
};

const toText = (value: unknown): string | undefined =>
  typeof value === 'string' ? value.toWellFormed() : typeof value === 'number' ? String(value) : undefined;

// An id may be missing: one is made where the call is recorded, and the model is told.
const toCall = (value: unknown, backend: string): ReplyCall => {
  if (!isRecord(value) || typeof value['name'] !== 'string')
    throw invalidReply(backend, 'returned `calls` that are no list of {id, name, arguments}');
  const { id, name, arguments: given, carry } = value;
  const call = { id: toText(id) ?? '', name: name.toWellFormed(), arguments: given };
  return carry === undefined ? call : { ...call, carry };
};

const toStopReason = (value: unknown): StopReason | undefined =>
  stopReasons.find((known) => known === value) ?? (typeof value === 'string' ? 'other' : undefined);

const present = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''));

/**
 * Reads what a backend returned, or what was kept of it: completes what may be left out, leaves out what has no meaning. Throws
 * `invalid_reply` where no conversation can be made of it.
 */
export const checkReply = (reply: unknown, backend: string): Reply => {
  if (!isRecord(reply)) throw invalidReply(backend, `returned ${reply === null ? 'null' : typeof reply}`);
  const { messages = [], calls = [], usage, id, model, reasoning, stopReason } = reply;
  if (!Array.isArray(messages)) throw invalidReply(backend, 'returned `messages` that are no list of {role, content}');
  if (!Array.isArray(calls)) throw invalidReply(backend, 'returned `calls` that are no list of {id, name, arguments}');
  return {
    messages: messages.map((message) => toMessage(message, backend)).filter(({ content }) => content !== ''),
    calls: calls.map((call) => toCall(call, backend)),
    usage: toTokens(usage),
    ...present({
      id: toText(id),
      model: toText(model),
      reasoning: toText(reasoning),
      stopReason: toStopReason(stopReason),
    }),
  };
};
