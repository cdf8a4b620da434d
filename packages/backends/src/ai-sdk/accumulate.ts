import { isRecord } from '../shape.js';

type Part = Record<string, unknown>;

/** A result that is put together from the parts of a stream. */
export type Accumulated = { content: Part[]; open: Map<unknown, Part>; response: Part; finish?: Part };

const metadataOf = ({ providerMetadata }: Part) => (providerMetadata === undefined ? {} : { providerMetadata });

/** Adds one part; tells the text and reasoning that were new in it. Throws the error that a part brings. */
export const addPart = (
  state: Accumulated,
  part: unknown,
  tell: (kind: 'text' | 'reasoning', text: string) => void,
): void => {
  if (!isRecord(part)) return;
  const [, kind, step] =
    /^(text|reasoning)-(start|delta|end)$/.exec(typeof part['type'] === 'string' ? part['type'] : '') ?? [];
  if (kind === 'text' || kind === 'reasoning') {
    const key = `${kind} ${part['id']}`;
    const before = state.open.get(key);
    const block: Part = before ?? { type: kind, text: '' };
    if (!before || step === 'start') {
      state.content.push(block);
      state.open.set(key, block);
    }
    Object.assign(block, metadataOf(part));
    if (step === 'end') state.open.delete(key);
    const piece = part['delta'];
    if (step !== 'delta' || typeof piece !== 'string' || piece === '') return;
    block['text'] = `${block['text']}${piece}`;
    tell(kind, piece);
    return;
  }
  if (part['type'] === 'error') throw part['error'];
  if (part['type'] === 'response-metadata') {
    const { type: _, ...known } = part;
    Object.assign(state.response, known);
  } else if (part['type'] === 'finish') state.finish = part;
  else if (part['type'] === 'tool-call') state.content.push(part);
};

/** The result as `doGenerate` would have given it. */
export const toResult = ({ content, response, finish }: Accumulated): Record<string, unknown> => ({
  content,
  response,
  finishReason: finish?.['finishReason'],
  usage: finish?.['usage'],
});
