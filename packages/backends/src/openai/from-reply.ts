import type { Chat } from '@colophon/chat-format';
import { normalizeUsage } from '@colophon/chat-format';
import type { Tool } from '@colophon/tools';
import type { Reply, ReplyCall, StopReason } from '../backend.js';
import { readArguments } from '../call-arguments.js';
import { makeCallId, takenIds } from '../call-ids.js';
import { withCarry } from '../carry.js';
import { emptyReply } from '../provider-error.js';
import { joinReasoning } from '../reasoning-text.js';
import { isRecord, recordsOf, textOf } from '../shape.js';
import { fromWireName } from '../wire-names.js';

/** Reasoning that is sent back with the calls it led to, under the names that it came by. */
export type KeptReasoning = { reasoning_content?: string; reasoning_details?: unknown[] };

const messageOf = (raw: unknown): Record<string, unknown> => {
  const [choice] = isRecord(raw) ? recordsOf(raw['choices']) : [];
  return isRecord(choice?.['message']) ? choice['message'] : {};
};

const detailText = (detail: Record<string, unknown>): unknown =>
  detail['type'] === 'reasoning.summary'
    ? detail['summary']
    : detail['type'] === 'reasoning.text'
      ? detail['text']
      : undefined;

/** Thinking that stands as parts among the content (Mistral). */
const thinkingParts = (content: unknown): unknown[] =>
  recordsOf(content).flatMap(({ type, thinking }) =>
    type === 'thinking' ? recordsOf(thinking).map((part) => part['text']) : [],
  );

/**
 * Readable reasoning of a chat completion: `reasoning_content`, else `reasoning`, else `thinking`, else the readable `reasoning_details`, else
 * thinking parts. Undefined for a reply of any other shape.
 */
const readReasoning = (raw: unknown): string | undefined => {
  const message = messageOf(raw);
  const details = recordsOf(message['reasoning_details']).map(detailText);
  return (
    joinReasoning([message['reasoning_content']]) ??
    joinReasoning([message['reasoning']]) ??
    joinReasoning([message['thinking']]) ??
    joinReasoning(details) ??
    joinReasoning(thinkingParts(message['content']))
  );
};

const contentText = (content: unknown): string => {
  if (typeof content === 'string') return content;
  return recordsOf(content)
    .map((part) => (part['type'] === 'text' || part['type'] === undefined ? textOf(part['text']) : undefined) ?? '')
    .join('');
};

/** One entry of `tool_calls`, whole or as compatible servers shorten it, as name, arguments and perhaps an id. */
const readToolCall = (entry: Record<string, unknown>): { id?: string; name: string; arguments: unknown } => {
  const inner = isRecord(entry['function']) ? entry['function'] : isRecord(entry['custom']) ? entry['custom'] : entry;
  const id = textOf(entry['id']);
  const given = inner['arguments'] ?? inner['input'];
  const read = isRecord(entry['custom']) ? { input: given } : readArguments(given);
  return { ...(id ? { id } : {}), name: textOf(inner['name']) ?? '', arguments: read };
};

const finishReasons: Record<string, StopReason> = {
  stop: 'stop',
  eos: 'stop',
  length: 'length',
  max_tokens: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
};

/**
 * Reads a chat completion, also one that a compatible server left gaps in: no usage, no ids, `content` and `tool_calls` null,
 * content in parts, arguments as an object. Throws where there is no choice. Source: `ChatCompletion` of openai 6.49.0.
 */
export const fromReply = (raw: unknown, { tools, chat }: { tools?: readonly Tool[]; chat?: Chat } = {}): Reply => {
  const [choice] = isRecord(raw) ? recordsOf(raw['choices']) : [];
  if (!isRecord(raw) || !choice) throw emptyReply();
  const message = messageOf(raw);
  const legacy = isRecord(message['function_call']) ? [{ function: message['function_call'] }] : [];
  const entries = [...recordsOf(message['tool_calls']), ...legacy].map(readToolCall);
  const taken = entries.some((entry) => entry.id === undefined) ? takenIds(chat) : new Set<string>();
  const details = Array.isArray(message['reasoning_details']) ? message['reasoning_details'] : undefined;
  const content = textOf(message['reasoning_content']);
  const kept: KeptReasoning = {
    ...(content ? { reasoning_content: content } : {}),
    ...(details ? { reasoning_details: details } : {}),
  };
  const calls: ReplyCall[] = entries.map((entry, index) => ({
    id: entry.id ?? makeCallId(entry.name, entry.arguments, taken),
    name: fromWireName(entry.name, tools),
    arguments: entry.arguments,
    ...withCarry('openai', index === 0 && Object.keys(kept).length > 0 ? kept : undefined),
  }));
  const refusal = textOf(message['refusal']);
  const text = contentText(message['content']) || refusal || '';
  const reason =
    finishReasons[textOf(choice['finish_reason']) ?? ''] ?? (choice['finish_reason'] ? 'other' : undefined);
  const stopReason = refusal
    ? 'refusal'
    : calls.length > 0 && (reason === 'stop' || reason === undefined)
      ? 'tool_calls'
      : reason;
  const reasoning = readReasoning(raw);
  const id = textOf(raw['id']);
  const model = textOf(raw['model']);
  return {
    messages: text === '' ? [] : [{ role: 'assistant', content: text }],
    calls,
    ...(isRecord(raw['usage']) ? { usage: normalizeUsage(raw['usage']) } : {}),
    ...(id ? { id } : {}),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(stopReason === undefined ? {} : { stopReason }),
    ...(model ? { model } : {}),
  };
};
