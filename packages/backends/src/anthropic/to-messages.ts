import type { Message } from '@colophon/chat-format';
import { readAttachment } from '../attachment.js';
import type { RequestOptions } from '../backend.js';
import { toArgumentsObject } from '../call-arguments.js';
import { takeCarry } from '../carry.js';
import type { Turn, UserPart } from '../turns.js';
import { toWireName } from '../wire-names.js';
import type { KeptBlocks } from './from-reply.js';

/** A content block; `cache_control` is set last. */
export type Block = Record<string, unknown> & { type: string };

/** A block and the index of the message that it came of. */
export type Placed = { index: number; block: Block };

export type AnthropicMessage = { role: 'user' | 'assistant'; content: Block[] };

/** The system text, the messages, where each block came from, and the digest of what stood before a block that was kept. */
export type Formatted = {
  system: Block[];
  messages: AnthropicMessage[];
  placed: Placed[];
  kept: Map<Block, string>;
};

const isBlank = (text: string): boolean => text.trim() === '';

const toUserBlock = async (part: UserPart, readBytes: RequestOptions['readBytes']): Promise<Block | undefined> => {
  if (part.kind === 'text') return isBlank(part.text) ? undefined : { type: 'text', text: part.text };
  const attachment = await readAttachment(part.message, readBytes);
  const source =
    attachment.kind === 'url'
      ? { type: 'url', url: attachment.url }
      : { type: 'base64', media_type: attachment.mediaType, data: attachment.base64 };
  if (part.kind === 'image') return { type: 'image', source };
  return { type: 'document', source, ...(attachment.kind === 'data' ? { title: attachment.name } : {}) };
};

/** Ids have the letters of names; those of other providers are changed alike in a call and its result. */
const toUseId = (id: string): string => toWireName(id, 128);

/**
 * Turns as the Messages API takes them: system text apart, turns of one role merged, results of parallel calls first in one
 * user turn, no blank text, a user turn at the beginning, no white space at the end of a final assistant turn. Linear.
 */
export const toMessages = async (
  turns: readonly Turn[],
  readBytes: RequestOptions['readBytes'],
): Promise<Formatted> => {
  const formatted: Formatted = { system: [], messages: [], placed: [], kept: new Map() };
  const add = (role: 'user' | 'assistant', block: Block, index: number): void => {
    const last = formatted.messages.at(-1);
    if (last?.role === role) last.content.push(block);
    else formatted.messages.push({ role, content: [block] });
    formatted.placed.push({ index, block });
  };
  const addKept = (message: Message, index: number): void => {
    const kept = takeCarry<KeptBlocks>(message, 'anthropic');
    for (const block of kept?.blocks ?? []) {
      const copy = { ...block };
      if (kept?.prefix !== undefined) formatted.kept.set(copy, kept.prefix);
      add('assistant', copy, index);
    }
  };
  for (const turn of turns) {
    if (turn.kind === 'system') {
      if (!isBlank(turn.text)) formatted.system.push({ type: 'text', text: turn.text });
    } else if (turn.kind === 'assistant') {
      addKept(turn.message, turn.index);
      if (!isBlank(turn.text)) add('assistant', { type: 'text', text: turn.text }, turn.index);
    } else if (turn.kind === 'user') {
      for (const part of turn.parts) {
        const block = await toUserBlock(part, readBytes);
        if (block) add('user', block, part.index);
      }
    } else {
      for (const { id, name, arguments: given, message, index } of turn.calls) {
        addKept(message, index);
        add(
          'assistant',
          { type: 'tool_use', id: toUseId(id), name: toWireName(name), input: toArgumentsObject(given) },
          index,
        );
      }
      for (const { id, content, failed, index } of turn.outputs) {
        const result = {
          tool_use_id: toUseId(id),
          ...(isBlank(content) ? {} : { content }),
          ...(failed ? { is_error: true } : {}),
        };
        add('user', { type: 'tool_result', ...result }, index);
      }
    }
  }
  return mendEnds(formatted);
};

const mendEnds = (formatted: Formatted): Formatted => {
  const { messages } = formatted;
  if (messages[0]?.role === 'assistant')
    messages.unshift({ role: 'user', content: [{ type: 'text', text: '(The conversation begins.)' }] });
  const last = messages.at(-1);
  const end = last?.content.at(-1);
  if (last?.role === 'assistant' && end?.type === 'text') end['text'] = String(end['text']).trimEnd();
  return formatted;
};
