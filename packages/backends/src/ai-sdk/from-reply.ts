import { type Chat, type Message, normalizeUsage } from '@colophon/chat-format';
import type { Tool } from '@colophon/tools';
import type { Reply, ReplyCall, StopReason } from '../backend.js';
import { readArguments } from '../call-arguments.js';
import { makeCallId, takenIds } from '../call-ids.js';
import { withCarry } from '../carry.js';
import { emptyReply } from '../provider-error.js';
import { joinReasoning } from '../reasoning-text.js';
import { isRecord, recordsOf, textOf } from '../shape.js';
import { fromWireName } from '../wire-names.js';
import type { Kept } from './to-prompt.js';

type Part = Record<string, unknown>;

const stopReasons: Record<string, StopReason> = {
  stop: 'stop',
  length: 'length',
  'content-filter': 'content_filter',
  'tool-calls': 'tool_calls',
};

/**
 * Reads what a language model generated: one message a text, calls, reasoning, which the part behind it carries. Throws where there is no
 * content. Source: `LanguageModelV3GenerateResult` of @ai-sdk/provider 3.0.19.
 */
export const fromReply = (raw: unknown, { tools, chat }: { tools?: readonly Tool[]; chat?: Chat } = {}): Reply => {
  if (!isRecord(raw) || !Array.isArray(raw['content'])) throw emptyReply();
  const parts = recordsOf(raw['content']);
  const messages: Message[] = [];
  const calls: ReplyCall[] = [];
  let reasoning: Part[] = [];
  const keptOf = ({ providerMetadata: options }: Part) => {
    // Reasoning without data of the provider's can't be checked by it, and is not wanted back.
    const signed = reasoning.filter((part) => part['providerOptions'] !== undefined);
    reasoning = [];
    return withCarry<Kept>(
      'ai-sdk',
      signed.length === 0 && options === undefined
        ? undefined
        : { ...(signed.length > 0 ? { reasoning: signed } : {}), ...(options === undefined ? {} : { options }) },
    );
  };
  let taken: Set<string> | undefined;
  for (const part of parts) {
    const { type, text } = part;
    if (type === 'reasoning') {
      const options = part['providerMetadata'];
      reasoning.push({ type, text, ...(options === undefined ? {} : { providerOptions: options }) });
    } else if (type === 'text' && typeof text === 'string' && text !== '')
      messages.push({ role: 'assistant', content: text, ...keptOf(part) });
    else if (type === 'tool-call' && part['providerExecuted'] !== true) {
      const name = fromWireName(textOf(part['toolName']) ?? '', tools);
      const args = readArguments(part['input']);
      const id = textOf(part['toolCallId']);
      if (!id) taken ??= takenIds(chat);
      calls.push({ id: id || makeCallId(name, args, taken ?? new Set()), name, arguments: args, ...keptOf(part) });
    }
  }
  const finish = isRecord(raw['finishReason']) ? raw['finishReason'] : {};
  const reason =
    finish['unified'] === undefined ? undefined : (stopReasons[textOf(finish['unified']) ?? ''] ?? 'other');
  const stopReason = calls.length > 0 && (reason === 'stop' || reason === undefined) ? 'tool_calls' : reason;
  const thought = joinReasoning(parts.map((part) => (part['type'] === 'reasoning' ? part['text'] : undefined)));
  const { id, modelId } = isRecord(raw['response']) ? raw['response'] : {};
  return {
    messages,
    calls,
    ...(isRecord(raw['usage']) ? { usage: normalizeUsage(raw['usage']) } : {}),
    ...(typeof id === 'string' && id !== '' ? { id } : {}),
    ...(thought === undefined ? {} : { reasoning: thought }),
    ...(stopReason === undefined ? {} : { stopReason }),
    ...(typeof modelId === 'string' && modelId !== '' ? { model: modelId } : {}),
  };
};
