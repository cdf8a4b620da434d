import { isRecord, recordsOf, textOf } from '../shape.js';

type PartialCall = { index: unknown; id?: string; type?: unknown; function: { name: string; arguments: unknown } };

/** Fields of a message that are text and come in pieces. */
const textFields = ['content', 'refusal', 'reasoning_content', 'reasoning', 'thinking'] as const;

/** A chat completion that is put together from the chunks of a stream. */
export type Accumulated = {
  head: Record<string, unknown>;
  message: Record<string, unknown>;
  calls: PartialCall[];
  usage?: unknown;
  finishReason?: unknown;
};

const callAt = (calls: PartialCall[], piece: Record<string, unknown>): PartialCall => {
  const { index } = piece;
  const id = textOf(piece['id']);
  // Servers that leave `index` out begin a call with an id or with a name that stands alone.
  const last = calls.at(-1);
  const inner = isRecord(piece['function']) ? piece['function'] : {};
  const begins = id
    ? id !== last?.id
    : last === undefined || (textOf(inner['name']) !== undefined && last.function.arguments !== '');
  const known =
    index === undefined || index === null
      ? begins
        ? undefined
        : last
      : calls.findLast((call) => call.index === index);
  if (known) return known;
  const call: PartialCall = { index, function: { name: '', arguments: '' } };
  calls.push(call);
  return call;
};

const addCall = (calls: PartialCall[], piece: Record<string, unknown>): void => {
  const call = callAt(calls, piece);
  const inner = isRecord(piece['function']) ? piece['function'] : {};
  const id = textOf(piece['id']);
  if (id) call.id = id;
  if (piece['type']) call.type = piece['type'];
  call.function.name += textOf(inner['name']) ?? '';
  const given = inner['arguments'];
  if (typeof given === 'string' && typeof call.function.arguments === 'string') call.function.arguments += given;
  else if (isRecord(given)) call.function.arguments = given;
};

/** Adds one chunk; tells the text and reasoning that were new in it. Cost: what is new, and the calls that are open. */
export const addChunk = (
  state: Accumulated,
  chunk: unknown,
  tell: (kind: 'text' | 'reasoning', text: string) => void,
): void => {
  if (!isRecord(chunk)) return;
  for (const key of ['id', 'object', 'created', 'model', 'system_fingerprint', 'service_tier']) {
    if (chunk[key] !== undefined && chunk[key] !== null && chunk[key] !== '') state.head[key] ??= chunk[key];
  }
  if (isRecord(chunk['usage'])) state.usage = chunk['usage'];
  const choice = recordsOf(chunk['choices']).find((entry) => (entry['index'] ?? 0) === 0);
  if (!choice) return;
  if (choice['finish_reason'] !== undefined && choice['finish_reason'] !== null)
    state.finishReason = choice['finish_reason'];
  const delta = isRecord(choice['delta']) ? choice['delta'] : isRecord(choice['message']) ? choice['message'] : {};
  for (const field of textFields) {
    const value = delta[field];
    const piece =
      field === 'content' && Array.isArray(value)
        ? recordsOf(value)
            .map((part) => textOf(part['text']) ?? '')
            .join('')
        : value;
    if (typeof piece !== 'string' || piece === '') continue;
    state.message[field] = `${textOf(state.message[field]) ?? ''}${piece}`;
    if (field === 'content' || field === 'refusal') tell('text', piece);
    else if (field === 'reasoning_content' || delta['reasoning_content'] === undefined) tell('reasoning', piece);
  }
  if (Array.isArray(delta['reasoning_details'])) {
    const before = (state.message['reasoning_details'] as unknown[] | undefined) ?? [];
    before.push(...delta['reasoning_details']);
    state.message['reasoning_details'] = before;
  }
  for (const piece of recordsOf(delta['tool_calls'])) addCall(state.calls, piece);
  if (isRecord(delta['function_call'])) addCall(state.calls, { index: 0, function: delta['function_call'] });
};

/** The completion as the plain request would have got it. */
export const toCompletion = ({ head, message, calls, usage, finishReason }: Accumulated): Record<string, unknown> => ({
  ...head,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: {
        role: 'assistant',
        content: null,
        ...message,
        ...(calls.length > 0
          ? { tool_calls: calls.map(({ index: _, ...call }) => ({ type: 'function', ...call })) }
          : {}),
      },
      finish_reason: finishReason ?? null,
    },
  ],
  ...(usage === undefined ? {} : { usage }),
});
