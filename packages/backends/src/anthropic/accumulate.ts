import { isRecord, textOf } from '../shape.js';

type Block = Record<string, unknown>;

/** A message that is put together from the events of a stream; `ended` once its last event is there. */
export type Accumulated = {
  message?: Record<string, unknown>;
  /** By the index that the server gives, whatever that is. */
  blocks: Map<unknown, Block>;
  inputs: Map<Block, string>;
  ended: boolean;
};

const addTo = (block: Block, field: string, piece: unknown): void => {
  if (typeof piece === 'string') block[field] = `${textOf(block[field]) ?? ''}${piece}`;
};

const addDelta = (
  state: Accumulated,
  block: Block,
  delta: Record<string, unknown>,
  tell: (kind: 'text' | 'reasoning', text: string) => void,
): void => {
  const type = delta['type'];
  if (type === 'text_delta') {
    addTo(block, 'text', delta['text']);
    if (delta['text']) tell('text', String(delta['text']));
  } else if (type === 'thinking_delta') {
    addTo(block, 'thinking', delta['thinking']);
    if (delta['thinking']) tell('reasoning', String(delta['thinking']));
  } else if (type === 'signature_delta') block['signature'] = delta['signature'];
  else if (type === 'input_json_delta')
    state.inputs.set(block, (state.inputs.get(block) ?? '') + (textOf(delta['partial_json']) ?? ''));
  else if (type === 'citations_delta')
    block['citations'] = [...(Array.isArray(block['citations']) ? block['citations'] : []), delta['citation']];
};

/** A call's input, or the text of it where that is no JSON: the model is told. */
const endBlock = (state: Accumulated, block: Block): void => {
  const input = state.inputs.get(block);
  if (input === undefined || input === '') return;
  try {
    block['input'] = JSON.parse(input);
  } catch {
    block['input'] = input;
  }
};

const known = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== undefined));

/** Adds one event of the stream; tells the text and thinking that were new in it. */
export const addEvent = (
  state: Accumulated,
  event: unknown,
  tell: (kind: 'text' | 'reasoning', text: string) => void,
): void => {
  if (!isRecord(event)) return;
  const { index } = event;
  const block = state.blocks.get(index);
  switch (event['type']) {
    case 'message_start':
      if (isRecord(event['message'])) state.message = { ...event['message'] };
      break;
    case 'content_block_start':
      if (isRecord(event['content_block'])) state.blocks.set(index, { ...event['content_block'] });
      break;
    case 'content_block_delta':
      if (block && isRecord(event['delta'])) addDelta(state, block, event['delta'], tell);
      break;
    case 'message_delta': {
      const usage = {
        ...(isRecord(state.message?.['usage']) ? state.message['usage'] : {}),
        ...(isRecord(event['usage']) ? known(event['usage']) : {}),
      };
      state.message = { ...state.message, ...(isRecord(event['delta']) ? event['delta'] : {}), usage };
      break;
    }
    case 'message_stop':
      state.ended = true;
      break;
  }
};

/** The message as the plain request would have got it. */
export const toMessage = (state: Accumulated): Record<string, unknown> => {
  const blocks = [...state.blocks.values()];
  for (const block of blocks) endBlock(state, block);
  return { ...state.message, content: blocks };
};
