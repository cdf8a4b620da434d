import { readAttachment } from '../attachment.js';
import type { RequestOptions } from '../backend.js';
import { toArgumentsObject } from '../call-arguments.js';
import { takeCarry } from '../carry.js';
import { unsupported } from '../errors.js';
import type { Turn, UserPart } from '../turns.js';
import { loopStart } from '../turns.js';
import { toWireName } from '../wire-names.js';

/** A content block; its one key is its kind. Bytes are base64 until they are sent. */
export type Block = Record<string, unknown>;

/** A message, and for each block the index of the chat's message that it came of. */
export type ConverseMessage = { role: 'user' | 'assistant'; content: Block[] };

/** The system text, the messages, and where each block stands. */
export type Formatted = {
  system: Block[];
  messages: ConverseMessage[];
  placed: { index: number; content: Block[]; block: Block }[];
};

const isBlank = (text: string): boolean => text.trim() === '';

// Names of documents: letters, digits, blanks, hyphens, parentheses, brackets.
const toDocumentName = (name: string, place: number): string =>
  `${
    name
      .replace(/\.pdf$/i, '')
      .replaceAll(/[^a-zA-Z0-9 ()[\]-]+/g, '-')
      .replaceAll(/ {2,}/g, ' ')
      .slice(0, 100) || 'document'
  } ${place}`;

const toUserBlock = async (
  part: UserPart,
  place: number,
  readBytes: RequestOptions['readBytes'],
): Promise<Block | undefined> => {
  if (part.kind === 'text') return isBlank(part.text) ? undefined : { text: part.text };
  const attachment = await readAttachment(part.message, readBytes);
  if (attachment.kind === 'url') throw unsupported(`\`${part.kind}\` by address`, 'bedrock', part.message);
  const source = { bytes: attachment.base64 };
  return part.kind === 'image'
    ? { image: { format: attachment.mediaType.replace('image/', ''), source } }
    : { document: { format: 'pdf', name: toDocumentName(attachment.name, place), source } };
};

/** Ids have the letters of names; those of other providers are changed alike in a call and its result. */
const toUseId = (id: string): string => toWireName(id);

/**
 * Turns as Converse takes them: system text apart, turns of one role merged, results of parallel calls first in one user turn, no
 * blank text, a user turn at the beginning, text beside a document. Linear.
 */
export const toMessages = async (
  turns: readonly Turn[],
  readBytes: RequestOptions['readBytes'],
): Promise<Formatted> => {
  const formatted: Formatted = { system: [], messages: [], placed: [] };
  const start = loopStart(turns);
  const add = (role: ConverseMessage['role'], block: Block, index: number): void => {
    let last = formatted.messages.at(-1);
    if (last?.role !== role) {
      last = { role, content: [] };
      formatted.messages.push(last);
    }
    last.content.push(block);
    formatted.placed.push({ index, content: last.content, block });
  };
  for (const [place, turn] of turns.entries()) {
    if (turn.kind === 'system') {
      if (!isBlank(turn.text)) formatted.system.push({ text: turn.text });
    } else if (turn.kind === 'assistant') {
      if (place >= start)
        for (const block of takeCarry<Block[]>(turn.message, 'bedrock') ?? []) add('assistant', block, turn.index);
      if (!isBlank(turn.text)) add('assistant', { text: turn.text }, turn.index);
    } else if (turn.kind === 'user') {
      for (const part of turn.parts) {
        const block = await toUserBlock(part, part.index, readBytes);
        if (block) add('user', block, part.index);
      }
    } else {
      for (const { id, name, arguments: given, message, index } of turn.calls) {
        if (place >= start)
          for (const block of takeCarry<Block[]>(message, 'bedrock') ?? []) add('assistant', block, index);
        add(
          'assistant',
          { toolUse: { toolUseId: toUseId(id), name: toWireName(name), input: toArgumentsObject(given) } },
          index,
        );
      }
      for (const { id, content, failed, index } of turn.outputs) {
        const result = { toolUseId: toUseId(id), content: [{ text: isBlank(content) ? '(nothing)' : content }] };
        add('user', { toolResult: { ...result, ...(failed ? { status: 'error' } : {}) } }, index);
      }
    }
  }
  return mendEnds(formatted);
};

const mendEnds = (formatted: Formatted): Formatted => {
  const { messages } = formatted;
  if (messages[0]?.role === 'assistant')
    messages.unshift({ role: 'user', content: [{ text: '(The conversation begins.)' }] });
  for (const { content } of messages)
    if (content.some((block) => block['document']) && !content.some((block) => block['text']))
      content.push({ text: '(See the document.)' });
  const last = messages.at(-1);
  const end = last?.content.at(-1);
  if (last?.role === 'assistant' && typeof end?.['text'] === 'string') end['text'] = end['text'].trimEnd();
  return formatted;
};
