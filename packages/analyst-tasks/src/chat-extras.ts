import { type Chat, type ToolCallPair, toolCallStatus } from '@colophon/chat-format';
import { fingerprintOf } from './fingerprint-of.js';

/** A tool call of a chat without its texts. Indexes are of messages. */
export type CallFact = {
  tool: string;
  callId: string | null;
  call: number;
  output: number | null;
  success: boolean | null;
  reason: string;
  /** Tells calls of one id and other arguments apart. */
  fingerprint: number;
  error?: string;
  start?: string;
  end?: string;
  agent?: string;
  conversation?: string;
};

/** What the tasks keep of every chat beside its evidence. Plain JSON, so that an index can hold it. */
export type ChatExtras = { roles: Record<string, number>; calls: CallFact[] };

const textIn = (value: unknown, key: string): string | undefined => {
  const text = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return typeof text === 'string' && text !== '' ? text : undefined;
};

// Written out, a field at a time: there are as many calls as anything.
const toFact = (pair: ToolCallPair): CallFact => {
  const { success, reason, error } = toolCallStatus(pair);
  const fact: CallFact = {
    tool: pair.name,
    callId: pair.callId,
    call: pair.callAddress as number,
    output: pair.outputAddress as number | null,
    success,
    reason,
    fingerprint: fingerprintOf(pair.arguments),
  };
  if (error !== undefined) fact.error = error;
  const [start, end] = [textIn(pair.envelope, 'start_timestamp'), textIn(pair.envelope, 'timestamp')];
  if (start !== undefined) fact.start = start;
  if (end !== undefined) fact.end = end;
  const agent = textIn(pair.arguments, 'agent') ?? textIn(pair.arguments, 'brief');
  if (agent !== undefined) fact.agent = agent;
  const conversation = textIn(pair.arguments, 'conversation');
  if (conversation !== undefined) fact.conversation = conversation;
  return fact;
};

/**
 * What the tasks need of a chat and its calls, read once. `intern` keeps the names of roles from holding the whole text of the chat in
 * memory; what calls hold was parsed, and is no part of it. Linear in the chat.
 */
export const chatExtras = (
  chat: Chat,
  calls: readonly ToolCallPair[],
  intern: (text: string) => string = (text) => text,
): ChatExtras => {
  const roles = new Map<string, number>();
  for (const { role } of chat) roles.set(role, (roles.get(role) ?? 0) + 1);
  return {
    roles: Object.fromEntries([...roles].map(([role, count]) => [intern(role), count])),
    calls: calls.map(toFact),
  };
};
