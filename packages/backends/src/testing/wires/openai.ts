import { isRecord, recordsOf, textOf } from '../../shape.js';
import { argumentsText, inPieces, type ReadTurn, type ScriptedContent, sse, turnOf, type Wire } from '../wire.js';

const finishReasons: Record<string, string> = {
  stop: 'stop',
  tool_calls: 'tool_calls',
  length: 'length',
  content_filter: 'content_filter',
  refusal: 'stop',
};

const callsOf = ({ calls = [] }: ScriptedContent, number: number) =>
  calls.map((call, index) => ({
    id: call.id ?? `call_${number}_${index}`,
    type: 'function',
    function: { name: call.name, arguments: argumentsText(call.arguments) },
  }));

const usageOf = ({ usage }: ScriptedContent) =>
  usage && {
    prompt_tokens: usage.pt,
    completion_tokens: usage.ct,
    total_tokens: usage.pt + usage.ct,
    prompt_tokens_details: { cached_tokens: usage.cct ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage.rt ?? 0 },
  };

const finishOf = ({ stopReason, calls }: ScriptedContent): string =>
  finishReasons[stopReason ?? (calls?.length ? 'tool_calls' : 'stop')] ?? 'stop';

const headOf = ({ id, model = 'scripted' }: ScriptedContent, number: number, object: string) => ({
  id: id ?? `chatcmpl-${number}`,
  object,
  created: 1_700_000_000 + number,
  model,
});

const partsOf = (content: unknown) =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : recordsOf(content);

const toTurn = (message: Record<string, unknown>): ReadTurn => {
  const parts = partsOf(message['content']);
  const texts = parts.flatMap((part) => (part['type'] === 'text' ? [textOf(part['text']) ?? ''] : []));
  if (message['role'] === 'tool')
    return turnOf('tool', { results: [{ id: String(message['tool_call_id']), text: texts.join('') }] });
  const calls = recordsOf(message['tool_calls']).map((call) => {
    const inner = isRecord(call['function']) ? call['function'] : {};
    return {
      id: String(call['id']),
      name: String(inner['name']),
      arguments: JSON.parse(String(inner['arguments'])) as unknown,
    };
  });
  const images = parts.flatMap((part) => (isRecord(part['image_url']) ? [String(part['image_url']['url'])] : []));
  const documents = parts.flatMap((part) => (isRecord(part['file']) ? [String(part['file']['file_data'])] : []));
  return turnOf(message['role'] === 'assistant' ? 'assistant' : 'user', { texts, images, documents, calls });
};

/** Chat completions. Source: `ChatCompletion`, `ChatCompletionChunk` of openai 6.49.0. */
export const openai: Wire = {
  name: 'openai',
  path: '/chat/completions',
  contentType: { plain: 'application/json', stream: 'text/event-stream' },
  toBody: (content, number) => {
    const calls = callsOf(content, number);
    const refused = content.stopReason === 'refusal';
    return {
      ...headOf(content, number, 'chat.completion'),
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: refused ? null : (content.text ?? null),
            refusal: refused ? (content.text ?? 'I can not help with that.') : null,
            ...(content.reasoning === undefined ? {} : { reasoning_content: content.reasoning }),
            ...(calls.length > 0 ? { tool_calls: calls } : {}),
          },
          logprobs: null,
          finish_reason: finishOf(content),
        },
      ],
      ...(content.usage ? { usage: usageOf(content) } : {}),
    };
  },
  toStream: (content, number) => {
    const head = headOf(content, number, 'chat.completion.chunk');
    const chunk = (delta: unknown, finish: string | null = null) =>
      sse({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] });
    const field = content.stopReason === 'refusal' ? 'refusal' : 'content';
    const text = content.text ?? (field === 'refusal' ? 'I can not help with that.' : '');
    const calls = callsOf(content, number);
    return [
      chunk({ role: 'assistant', content: '' }),
      ...inPieces(content.reasoning ?? '').map((piece) => chunk({ reasoning_content: piece })),
      ...inPieces(text).map((piece) => chunk({ [field]: piece })),
      ...calls.flatMap((call, index) => [
        chunk({ tool_calls: [{ index, ...call, function: { name: call.function.name, arguments: '' } }] }),
        ...inPieces(call.function.arguments).map((piece) =>
          chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
        ),
      ]),
      chunk({}, finishOf(content)),
      ...(content.usage ? [sse({ ...head, choices: [], usage: usageOf(content) })] : []),
      sse('[DONE]'),
    ];
  },
  frame: (event) => sse(event),
  stopReasons: ['stop', 'tool_calls', 'length', 'refusal', 'content_filter'],
  end: [sse('[DONE]')],
  toFailure: (_status, code, message) => ({ error: { message, type: code, param: null, code } }),
  read: (body) => {
    const messages = recordsOf(body['messages']);
    return {
      model: String(body['model']),
      system: messages.flatMap((message) => (message['role'] === 'system' ? [String(message['content'])] : [])),
      turns: messages.filter((message) => message['role'] !== 'system').map(toTurn),
      tools: recordsOf(body['tools']).map(({ function: inner }) => ({
        name: isRecord(inner) ? String(inner['name']) : '',
        parameters: isRecord(inner) ? inner['parameters'] : undefined,
      })),
      ...(body['response_format'] === undefined ? {} : { format: body['response_format'] }),
    };
  },
};
