import type { Tool } from '@colophon/tools';
import type { Reply, ReplyCall } from '../backend.js';
import { makeCallId, takenIds } from '../call-ids.js';
import { isRecord } from '../shape.js';
import { fromWireName } from '../wire-names.js';
import type { VariantReply } from './variant.js';

const open = '<tool_call>';
const close = '</tool_call>';

const readCall = (text: string, tools: readonly Tool[]): Omit<ReplyCall, 'id'> | undefined => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || typeof value['name'] !== 'string') return undefined;
  const name = fromWireName(value['name'], tools);
  // A name that was not offered is talk about a call.
  return tools.some((tool) => tool.name === name) ? { name, arguments: value['arguments'] ?? {} } : undefined;
};

/** The blocks that end a text, by index search: a reply may be megabytes. */
const readBlocks = (text: string, tools: readonly Tool[]): { before: string; calls: Omit<ReplyCall, 'id'>[] } => {
  const calls: Omit<ReplyCall, 'id'>[] = [];
  let before = text.trimEnd();
  while (before.endsWith(close)) {
    const start = before.lastIndexOf(open);
    const call = start < 0 ? undefined : readCall(before.slice(start + open.length, -close.length), tools);
    if (!call) break;
    calls.unshift(call);
    before = before.slice(0, start).trimEnd();
  }
  return { before, calls };
};

/**
 * Calls that a model wrote as text, since its server runs without a parser of calls: blocks `<tool_call>{"name", "arguments"}</tool_call>`
 * (Hermes, Qwen) at the end of a reply without calls, for tools that were offered. What stands anywhere else stays text.
 */
export const readTextCalls = ({ reply, tools, chat }: VariantReply): Reply => {
  const last = reply.messages.at(-1);
  if (!last || reply.calls.length > 0 || tools.length === 0) return reply;
  const { before, calls } = readBlocks(last.content, tools);
  if (calls.length === 0) return reply;
  const taken = takenIds(chat);
  return {
    ...reply,
    messages: [...reply.messages.slice(0, -1), ...(before === '' ? [] : [{ ...last, content: before }])],
    calls: calls.map((call) => ({ id: makeCallId(call.name, call.arguments, taken), ...call })),
    stopReason: reply.stopReason === 'length' ? 'length' : 'tool_calls',
  };
};
