import { type Chat, pairToolCalls, toolCallStatus } from '@colophon/chat-format';
import { type Resource, resourcesIn } from './resources.js';
import { digestOf } from './text.js';

/** A tool call of a chat without its texts. Indexes are of messages. */
export type CallFact = {
  tool: string;
  callId: string | null;
  call: number;
  output: number | null;
  success: boolean | null;
  reason: string;
  error?: string;
  start?: string;
  end?: string;
  agent?: string;
  conversation?: string;
  /** Tells calls of one id and other arguments apart. */
  argumentsDigest: string;
  /** Files and addresses that its arguments name; absent where there are none. */
  resources?: Resource[];
};

/** What the tasks keep of every chat beside its evidence. Plain JSON, so that an index can hold it. */
export type ChatExtras = { roles: Record<string, number>; calls: CallFact[] };

const textIn = (value: unknown, key: string): string | undefined => {
  const text = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined;
  return typeof text === 'string' && text !== '' ? text : undefined;
};

const optional = <Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } =>
  (value === undefined ? {} : { [key]: value }) as { [K in Key]?: Value };

/** JSON with keys in order, so that copies written by others are equal. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  ) ?? '';

/** Reads what the tasks need of a chat, once. Linear in the chat. */
export const chatExtras = (chat: Chat): ChatExtras => {
  const roles = new Map<string, number>();
  for (const { role } of chat) roles.set(role, (roles.get(role) ?? 0) + 1);
  const calls = pairToolCalls(chat).map((pair): CallFact => {
    const resources = resourcesIn(pair.arguments);
    const { success, reason, error } = toolCallStatus(pair);
    return {
      tool: pair.name,
      callId: pair.callId,
      call: pair.callAddress as number,
      output: pair.outputAddress as number | null,
      success,
      reason,
      argumentsDigest: digestOf(canonical(pair.arguments), 'md5', 12),
      ...optional('error', error),
      ...optional('start', textIn(pair.envelope, 'start_timestamp')),
      ...optional('end', textIn(pair.envelope, 'timestamp')),
      ...optional('agent', textIn(pair.arguments, 'agent') ?? textIn(pair.arguments, 'brief')),
      ...optional('conversation', textIn(pair.arguments, 'conversation')),
      ...optional('resources', resources.length > 0 ? resources : undefined),
    };
  });
  return { roles: Object.fromEntries(roles), calls };
};
