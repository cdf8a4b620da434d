import { type Chat, type Message, normalizeUsage } from '@colophon/chat-format';
import type { Tool } from '@colophon/tools';
import { answerTool } from '../anthropic/output-format.js';
import type { Reply, ReplyCall, StopReason } from '../backend.js';
import { readArguments } from '../call-arguments.js';
import { makeCallId, takenIds } from '../call-ids.js';
import { withCarry } from '../carry.js';
import { emptyReply } from '../provider-error.js';
import { joinReasoning } from '../reasoning-text.js';
import { isRecord, recordsOf, textOf } from '../shape.js';
import { fromWireName } from '../wire-names.js';
import type { Block } from './to-messages.js';

const stopReasons: Record<string, StopReason> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  content_filtered: 'content_filter',
  guardrail_intervened: 'content_filter',
};

const reasoningText = (block: Block): unknown => {
  const { reasoningContent: content } = block;
  const inner = isRecord(content) ? content['reasoningText'] : undefined;
  return isRecord(inner) ? inner['text'] : undefined;
};

const printed = (input: unknown): string => textOf(input) ?? JSON.stringify(input ?? {});

/**
 * Reads a reply of Converse: one message a text block, calls, reasoning, which the block behind it carries. Throws where there is no
 * message. Source: `ConverseResponse` of @aws-sdk/client-bedrock-runtime 3.1164.0.
 */
export const fromReply = (raw: unknown, { tools, chat }: { tools?: readonly Tool[]; chat?: Chat } = {}): Reply => {
  const output = isRecord(raw) && isRecord(raw['output']) ? raw['output'] : {};
  const message = isRecord(output['message']) ? output['message'] : {};
  if (!isRecord(raw) || !Array.isArray(message['content'])) throw emptyReply();
  const blocks = recordsOf(message['content']);
  const messages: Message[] = [];
  const calls: ReplyCall[] = [];
  let kept: Block[] = [];
  const takeKept = () => {
    const carried = kept.length > 0 ? kept : undefined;
    kept = [];
    return withCarry('bedrock', carried);
  };
  let taken: Set<string> | undefined;
  for (const block of blocks) {
    const { text, toolUse } = block;
    if (isRecord(block['reasoningContent'])) kept.push(block);
    else if (typeof text === 'string') {
      if (text.trim() !== '') messages.push({ role: 'assistant', content: text, ...takeKept() });
    } else if (isRecord(toolUse) && toolUse['name'] === answerTool)
      messages.push({ role: 'assistant', content: printed(toolUse['input']), ...takeKept() });
    else if (isRecord(toolUse)) {
      const name = fromWireName(textOf(toolUse['name']) ?? '', tools);
      const args = readArguments(toolUse['input']);
      const id = textOf(toolUse['toolUseId']);
      if (!id) taken ??= takenIds(chat);
      calls.push({ id: id || makeCallId(name, args, taken ?? new Set()), name, arguments: args, ...takeKept() });
    }
  }
  const reason =
    raw['stopReason'] === undefined ? undefined : (stopReasons[textOf(raw['stopReason']) ?? ''] ?? 'other');
  const stopReason =
    reason === 'tool_calls' && calls.length === 0 ? 'stop' : (reason ?? (calls.length > 0 ? 'tool_calls' : undefined));
  const reasoning = joinReasoning(blocks.map(reasoningText));
  const id = textOf(raw['requestId']);
  return {
    messages,
    calls,
    ...(isRecord(raw['usage']) ? { usage: normalizeUsage(raw['usage']) } : {}),
    ...(id ? { id } : {}),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(stopReason === undefined ? {} : { stopReason }),
  };
};
