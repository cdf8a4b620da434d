import { type Chat, type Message, normalizeUsage } from '@colophon/chat-format';
import type { Tool } from '@colophon/tools';
import type { Reply, ReplyCall, StopReason } from '../backend.js';
import { readArguments } from '../call-arguments.js';
import { makeCallId, takenIds } from '../call-ids.js';
import { withCarry } from '../carry.js';
import { emptyReply, replyFailure } from '../provider-error.js';
import { joinReasoning } from '../reasoning-text.js';
import { isRecord, recordsOf, textOf } from '../shape.js';
import { fromWireName } from '../wire-names.js';

type Item = Record<string, unknown>;

const summaryOf = (item: Item): string | undefined => {
  const textsOf = (value: unknown, type: string) =>
    recordsOf(value).map((part) => (part['type'] === type ? part['text'] : undefined));
  return (
    joinReasoning(textsOf(item['summary'], 'summary_text')) ?? joinReasoning(textsOf(item['content'], 'reasoning_text'))
  );
};

/**
 * Readable reasoning of a response: its summaries in order, or the reasoning text that open models give. Undefined for a reply
 * of any other shape.
 */
const readReasoning = (raw: unknown): string | undefined =>
  joinReasoning(
    (isRecord(raw) ? recordsOf(raw['output']) : []).filter((item) => item['type'] === 'reasoning').map(summaryOf),
  );

/** A `function_call` item as name, arguments and perhaps an id. A channel mark that vLLM leaves in a name is cut off. */
const readToolCall = (item: Item): { id?: string; name: string; arguments: unknown } => {
  const id = textOf(item['call_id']) || textOf(item['id']);
  const name = (textOf(item['name']) ?? '').split('<|')[0] ?? '';
  const args = item['type'] === 'custom_tool_call' ? { input: item['input'] } : readArguments(item['arguments']);
  return { ...(id ? { id } : {}), name, arguments: args };
};

const toImage = (item: Item): Message => ({
  role: 'image',
  content: `data:image/${textOf(item['output_format']) ?? 'png'};base64,${textOf(item['result']) ?? ''}`,
});

const toTexts = (item: Item): Message[] =>
  recordsOf(item['content']).flatMap((part) => {
    const text =
      part['type'] === 'output_text'
        ? textOf(part['text'])
        : part['type'] === 'refusal'
          ? textOf(part['refusal'])
          : undefined;
    return text ? [{ role: 'assistant', content: text }] : [];
  });

const isRefusal = (item: Item): boolean => recordsOf(item['content']).some((part) => part['type'] === 'refusal');

const incompleteReasons: Record<string, StopReason> = {
  max_output_tokens: 'length',
  max_tokens: 'length',
  content_filter: 'content_filter',
};

const stopReasonOf = (raw: Item, items: readonly Item[], calls: readonly ReplyCall[]): StopReason | undefined => {
  if (items.some(isRefusal)) return 'refusal';
  const { status, incomplete_details: details } = raw;
  if (status === 'incomplete')
    return incompleteReasons[textOf(isRecord(details) ? details['reason'] : undefined) ?? ''] ?? 'other';
  if (status === 'cancelled') return 'aborted';
  if (calls.length > 0) return 'tool_calls';
  return status === undefined || status === 'completed' ? 'stop' : 'other';
};

/** Throws what a response says of its own failure. */
export const checkFailure = (raw: unknown): void => {
  if (!isRecord(raw)) throw emptyReply();
  const error = isRecord(raw['error']) ? raw['error'] : undefined;
  if (raw['status'] !== 'failed' && !error) return;
  throw replyFailure(
    textOf(error?.['code']) ?? 'failed',
    textOf(error?.['message']) ?? 'the response failed without saying why',
  );
};

/**
 * Reads a response: one message a text part, calls, generated images as `image` messages with a data URI, the summaries of its
 * reasoning. Items of tools that the provider runs itself (search, code, MCP) leave nothing behind. Throws where the response
 * says that it failed. Source: `Response` of openai 6.49.0.
 */
export const fromReply = (raw: unknown, { tools, chat }: { tools?: readonly Tool[]; chat?: Chat } = {}): Reply => {
  checkFailure(raw);
  if (!isRecord(raw) || !Array.isArray(raw['output'])) throw emptyReply();
  const items = recordsOf(raw['output']);
  const messages: Message[] = [];
  const calls: ReplyCall[] = [];
  let kept: Item[] = [];
  let taken: Set<string> | undefined;
  for (const item of items) {
    const carry = withCarry('responses', kept.length > 0 ? kept : undefined);
    if (item['type'] === 'reasoning' && textOf(item['encrypted_content'])) {
      const { status: _, ...sent } = item;
      kept.push(sent);
    } else if (item['type'] === 'function_call' || item['type'] === 'custom_tool_call') {
      const { id, name, arguments: args } = readToolCall(item);
      taken ??= id === undefined ? takenIds(chat) : undefined;
      calls.push({
        id: id ?? makeCallId(name, args, taken ?? new Set()),
        name: fromWireName(name, tools),
        arguments: args,
        ...carry,
      });
      kept = [];
    } else if (item['type'] === 'message' || item['type'] === 'image_generation_call') {
      const [first, ...rest] =
        item['type'] === 'message' ? toTexts(item) : textOf(item['result']) ? [toImage(item)] : [];
      if (!first) continue;
      messages.push({ ...first, ...carry }, ...rest);
      kept = [];
    }
  }
  const reasoning = readReasoning(raw);
  const stopReason = stopReasonOf(raw, items, calls);
  const id = textOf(raw['id']);
  const model = textOf(raw['model']);
  return {
    messages,
    calls,
    ...(isRecord(raw['usage']) ? { usage: normalizeUsage(raw['usage']) } : {}),
    ...(id ? { id } : {}),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(stopReason === undefined ? {} : { stopReason }),
    ...(model ? { model } : {}),
  };
};
