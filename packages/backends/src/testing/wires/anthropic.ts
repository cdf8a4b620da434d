import { isRecord, recordsOf, textOf } from '../../shape.js';
import { argumentsText, inPieces, type ReadTurn, type ScriptedContent, sse, turnOf, type Wire } from '../wire.js';

const stopReasons: Record<string, string> = {
  stop: 'end_turn',
  tool_calls: 'tool_use',
  length: 'max_tokens',
  refusal: 'refusal',
  content_filter: 'refusal',
};

const stopOf = ({ stopReason, calls }: ScriptedContent): string =>
  stopReasons[stopReason ?? (calls?.length ? 'tool_calls' : 'stop')] ?? 'end_turn';

/** Input counts leave the cache out in this format. */
const usageOf = ({ usage = { pt: 0, ct: 0 } }: ScriptedContent) => ({
  input_tokens: usage.pt - (usage.cct ?? 0) - (usage.cwt ?? 0),
  cache_creation_input_tokens: usage.cwt ?? 0,
  cache_read_input_tokens: usage.cct ?? 0,
  output_tokens: usage.ct,
  ...(usage.rt === undefined ? {} : { output_tokens_details: { thinking_tokens: usage.rt } }),
});

const blocksOf = (content: ScriptedContent, number: number): Record<string, unknown>[] => [
  ...(content.reasoning === undefined
    ? []
    : [{ type: 'thinking', thinking: content.reasoning, signature: content.signature ?? `signature-${number}` }]),
  ...(content.text === undefined ? [] : [{ type: 'text', text: content.text, citations: null }]),
  ...(content.calls ?? []).map((call, index) => ({
    type: 'tool_use',
    id: call.id ?? `toolu_${number}_${index}`,
    name: call.name,
    input: call.arguments,
  })),
];

const bodyOf = (content: ScriptedContent, number: number): Record<string, unknown> => ({
  id: content.id ?? `msg_${number}`,
  type: 'message',
  role: 'assistant',
  model: content.model ?? 'scripted',
  content: blocksOf(content, number),
  stop_reason: stopOf(content),
  stop_sequence: null,
  stop_details: null,
  usage: usageOf(content),
});

const blockEvents = (block: Record<string, unknown>, index: number): Record<string, unknown>[] => {
  const delta = (fields: Record<string, unknown>) => ({ type: 'content_block_delta', index, delta: fields });
  const start = (content_block: Record<string, unknown>) => ({ type: 'content_block_start', index, content_block });
  const stop = { type: 'content_block_stop', index };
  if (block['type'] === 'thinking') {
    const pieces = inPieces(String(block['thinking'])).map((thinking) => delta({ type: 'thinking_delta', thinking }));
    return [
      start({ type: 'thinking', thinking: '', signature: '' }),
      ...pieces,
      delta({ type: 'signature_delta', signature: block['signature'] }),
      stop,
    ];
  }
  if (block['type'] === 'text')
    return [
      start({ ...block, text: '' }),
      ...inPieces(String(block['text'])).map((text) => delta({ type: 'text_delta', text })),
      stop,
    ];
  const pieces = inPieces(argumentsText(block['input'])).map((partial_json) =>
    delta({ type: 'input_json_delta', partial_json }),
  );
  return [start({ ...block, input: {} }), ...pieces, stop];
};

const toTurn = (message: Record<string, unknown>): ReadTurn => {
  const blocks =
    typeof message['content'] === 'string'
      ? [{ type: 'text', text: message['content'] }]
      : recordsOf(message['content']);
  const ofType = (type: string): Record<string, unknown>[] => blocks.filter((block) => block['type'] === type);
  const sourceOf = ({ source }: Record<string, unknown>): string[] => {
    if (!isRecord(source)) return [];
    return [source['type'] === 'url' ? String(source['url']) : `data:${source['media_type']};base64,${source['data']}`];
  };
  return turnOf(message['role'] === 'assistant' ? 'assistant' : 'user', {
    texts: ofType('text').map((block) => String(block['text'])),
    images: ofType('image').flatMap(sourceOf),
    documents: ofType('document').flatMap(sourceOf),
    calls: ofType('tool_use').map(({ id, name, input }) => ({ id: String(id), name: String(name), arguments: input })),
    results: ofType('tool_result').map(({ tool_use_id, content }) => ({
      id: String(tool_use_id),
      text: textOf(content) ?? '',
    })),
  });
};

/** The Messages API. Source: `Message`, `RawMessageStreamEvent` of @anthropic-ai/sdk 1.14.0. */
export const anthropic: Wire = {
  name: 'anthropic',
  path: '/v1/messages',
  contentType: { plain: 'application/json', stream: 'text/event-stream' },
  toBody: bodyOf,
  toStream: (content, number) => {
    const body = bodyOf(content, number);
    const usage = usageOf(content);
    const events: Record<string, unknown>[] = [
      {
        type: 'message_start',
        message: { ...body, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
      },
      { type: 'ping' },
      ...blocksOf(content, number).flatMap(blockEvents),
      {
        type: 'message_delta',
        delta: { stop_reason: stopOf(content), stop_sequence: null },
        usage: {
          output_tokens: usage.output_tokens,
          ...(usage.output_tokens_details ? { output_tokens_details: usage.output_tokens_details } : {}),
        },
      },
      { type: 'message_stop' },
    ];
    return events.map((event) => sse(event, String(event['type'])));
  },
  frame: (event) => sse(event, isRecord(event) ? String(event['type']) : 'content_block_delta'),
  stopReasons: ['stop', 'tool_calls', 'length', 'refusal'],
  end: [],
  toFailure: (_status, code, message) => ({
    type: 'error',
    error: { type: code, message },
    request_id: 'req_scripted',
  }),
  read: (body) => ({
    model: String(body['model']),
    system:
      typeof body['system'] === 'string'
        ? [body['system']]
        : recordsOf(body['system']).map((block) => String(block['text'])),
    turns: recordsOf(body['messages']).map(toTurn),
    tools: recordsOf(body['tools']).map(({ name, input_schema }) => ({ name: String(name), parameters: input_schema })),
    ...(isRecord(body['output_config']) && body['output_config']['format'] !== undefined
      ? { format: body['output_config']['format'] }
      : {}),
  }),
};
