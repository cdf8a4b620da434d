import { isRecord, recordsOf, textOf } from '../shape.js';

type Part = Record<string, unknown>;

/** A response that is put together from the pieces of a stream. */
export type Accumulated = { head: Record<string, unknown>; parts: Part[]; finishReason?: unknown };

type Tell = (kind: 'text' | 'reasoning', text: string) => void;

const isText = (part: Part | undefined): part is Part => typeof part?.['text'] === 'string' && !part['functionCall'];

/** Adds one piece: text goes on in the part before it where that is of the same kind and not signed. */
export const addChunk = (state: Accumulated, chunk: unknown, tell: Tell): void => {
  if (!isRecord(chunk)) return;
  for (const key of ['responseId', 'modelVersion', 'usageMetadata', 'promptFeedback'])
    if (chunk[key] !== undefined) state.head[key] = chunk[key];
  const [candidate] = recordsOf(chunk['candidates']);
  if (candidate?.['finishReason']) state.finishReason = candidate['finishReason'];
  for (const part of recordsOf(isRecord(candidate?.['content']) ? candidate['content']['parts'] : undefined)) {
    const last = state.parts.at(-1);
    const text = textOf(part['text']) ?? '';
    if (isText(part) && isText(last) && last['thought'] === part['thought'] && last['thoughtSignature'] === undefined)
      state.parts[state.parts.length - 1] = { ...last, ...part, text: `${last['text']}${text}` };
    else state.parts.push(part);
    if (isText(part) && text !== '') tell(part['thought'] === true ? 'reasoning' : 'text', text);
  }
};

/** The response as the plain request would have got it. */
export const toResponse = ({ head, parts, finishReason }: Accumulated): Record<string, unknown> => ({
  ...head,
  ...(finishReason === undefined ? {} : { candidates: [{ content: { role: 'model', parts }, finishReason }] }),
});
