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
import { answerTool } from './output-format.js';
import type { Block } from './to-messages.js';

/** Blocks that go back before the text or call that followed them; `prefix`: the digest of the request that they answered. */
export type KeptBlocks = { blocks: Block[]; prefix?: string };

const isThinking = (block: Record<string, unknown>): boolean =>
  block['type'] === 'thinking' || block['type'] === 'redacted_thinking';

/** Blocks of tools that the provider ran, which stand in pairs. */
const isServerBlock = (block: Record<string, unknown>): boolean =>
  /^server_tool_use$|_tool_result$/.test(textOf(block['type']) ?? '');

/** The text of the thinking blocks, joined. Undefined for a reply without any, or of any other shape. */
const readReasoning = (raw: unknown): string | undefined =>
  joinReasoning(
    (isRecord(raw) ? recordsOf(raw['content']) : []).map((block) =>
      block['type'] === 'thinking' ? block['thinking'] : undefined,
    ),
  );

/** A `tool_use` block as name, arguments and perhaps an id; `input` that could not be read stays text. */
const readToolCall = (block: Record<string, unknown>): { id?: string; name: string; arguments: unknown } => {
  const id = textOf(block['id']);
  return { ...(id ? { id } : {}), name: textOf(block['name']) ?? '', arguments: readArguments(block['input']) };
};

const stopReasons: Record<string, StopReason> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'refusal',
};

const printed = (input: unknown): string => textOf(input) ?? JSON.stringify(input ?? {});

const usageOf = (usage: Record<string, unknown>) => {
  const details = usage['output_tokens_details'];
  const thought = isRecord(details) ? details['thinking_tokens'] : undefined;
  return normalizeUsage(
    thought === undefined ? usage : { ...usage, output_tokens_details: { reasoning_tokens: thought } },
  );
};

/**
 * Reads a message: one message a text block, calls, thinking as reasoning. Thinking and the traces of the provider's own tools
 * are carried by what follows them. Throws where there is no content. Source: `Message` of @anthropic-ai/sdk 1.14.0.
 */
export const fromReply = (raw: unknown, { tools, chat }: { tools?: readonly Tool[]; chat?: Chat } = {}): Reply => {
  if (!isRecord(raw) || !Array.isArray(raw['content'])) throw emptyReply();
  const messages: Message[] = [];
  const calls: ReplyCall[] = [];
  const prefix = textOf(raw['prefix']);
  let blocks: Block[] = [];
  let taken: Set<string> | undefined;
  const takeKept = () => {
    const kept = blocks.length > 0 ? { blocks, ...(prefix === undefined ? {} : { prefix }) } : undefined;
    blocks = [];
    return withCarry<KeptBlocks>('anthropic', kept);
  };
  for (const block of recordsOf(raw['content'])) {
    if (isThinking(block) || isServerBlock(block)) blocks.push(block as Block);
    else if (block['type'] === 'text') {
      // Blank text before a call is noise that the API itself would not take back.
      const text = textOf(block['text']) ?? '';
      if (text.trim() !== '') messages.push({ role: 'assistant', content: text, ...takeKept() });
    } else if (block['type'] === 'tool_use' && block['name'] === answerTool)
      messages.push({ role: 'assistant', content: printed(block['input']), ...takeKept() });
    else if (block['type'] === 'tool_use') {
      const { id, name, arguments: args } = readToolCall(block);
      taken ??= id === undefined ? takenIds(chat) : undefined;
      calls.push({
        id: id ?? makeCallId(name, args, taken ?? new Set()),
        name: fromWireName(name, tools),
        arguments: args,
        ...takeKept(),
      });
    }
  }
  const stopped = textOf(raw['stop_reason']);
  const details = isRecord(raw['stop_details']) ? textOf(raw['stop_details']['explanation']) : undefined;
  if (stopped === 'refusal' && messages.length === 0 && details) messages.push({ role: 'assistant', content: details });
  const reason = stopped === undefined ? undefined : (stopReasons[stopped] ?? 'other');
  const reasoning = readReasoning(raw);
  const id = textOf(raw['id']);
  const model = textOf(raw['model']);
  const stopReason =
    reason === 'tool_calls' && calls.length === 0 ? 'stop' : (reason ?? (calls.length > 0 ? 'tool_calls' : undefined));
  return {
    messages,
    calls,
    ...(isRecord(raw['usage']) ? { usage: usageOf(raw['usage']) } : {}),
    ...(id ? { id } : {}),
    ...(reasoning === undefined ? {} : { reasoning }),
    ...(stopReason === undefined ? {} : { stopReason }),
    ...(model ? { model } : {}),
  };
};
