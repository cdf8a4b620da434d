import { isRecord, textOf } from '../shape.js';
import type { Block } from './to-messages.js';

/** A reply that is put together from the events of a stream. */
export type Accumulated = {
  blocks: Map<unknown, Block>;
  inputs: Map<Block, string>;
  stopReason?: unknown;
  usage?: unknown;
};

type Tell = (kind: 'text' | 'reasoning', text: string) => void;

const addReasoning = (block: Block, piece: Record<string, unknown>, tell: Tell): void => {
  if (piece['redactedContent'] !== undefined) {
    block['reasoningContent'] = { redactedContent: piece['redactedContent'] };
    return;
  }
  const before = isRecord(block['reasoningContent']) ? block['reasoningContent']['reasoningText'] : undefined;
  const inner = isRecord(before) ? before : { text: '' };
  const text = textOf(piece['text']);
  const signature = textOf(piece['signature']);
  block['reasoningContent'] = {
    reasoningText: {
      ...inner,
      text: `${inner['text']}${text ?? ''}`,
      ...(signature === undefined ? {} : { signature }),
    },
  };
  if (text) tell('reasoning', text);
};

/** Adds one event; tells the text and reasoning that were new in it. Cost: what is new, and the block that is open. */
export const addEvent = (state: Accumulated, event: unknown, tell: Tell): void => {
  if (!isRecord(event)) return;
  const { contentBlockStart: start, contentBlockDelta: piece, messageStop: stop, metadata } = event;
  if (isRecord(start) && isRecord(start['start']) && isRecord(start['start']['toolUse']))
    state.blocks.set(start['contentBlockIndex'], { toolUse: { ...start['start']['toolUse'] } });
  if (isRecord(piece) && isRecord(piece['delta'])) {
    const { contentBlockIndex: index, delta } = piece as { contentBlockIndex: unknown; delta: Record<string, unknown> };
    const block = state.blocks.get(index) ?? {};
    state.blocks.set(index, block);
    const { text, toolUse, reasoningContent } = delta;
    if (typeof text === 'string') {
      block['text'] = `${textOf(block['text']) ?? ''}${text}`;
      if (text !== '') tell('text', text);
    }
    if (isRecord(toolUse)) state.inputs.set(block, (state.inputs.get(block) ?? '') + (textOf(toolUse['input']) ?? ''));
    if (isRecord(reasoningContent)) addReasoning(block, reasoningContent, tell);
  }
  if (isRecord(stop)) state.stopReason = stop['stopReason'];
  if (isRecord(metadata)) state.usage = metadata['usage'];
};

const readInput = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** The reply as the plain request would have got it; the input of a call stays text where it is no JSON. */
export const toReply = ({ blocks, inputs, stopReason, usage }: Accumulated): Record<string, unknown> => {
  for (const [block, text] of inputs)
    if (isRecord(block['toolUse']))
      block['toolUse'] = { ...block['toolUse'], input: text === '' ? {} : readInput(text) };
  return {
    output: { message: { role: 'assistant', content: [...blocks.values()] } },
    stopReason,
    ...(usage === undefined ? {} : { usage }),
  };
};
