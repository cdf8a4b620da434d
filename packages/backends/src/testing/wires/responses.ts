import { isRecord, recordsOf, textOf } from '../../shape.js';
import { argumentsText, inPieces, type ReadTurn, type ScriptedContent, sse, turnOf, type Wire } from '../wire.js';

const usageOf = ({ usage }: ScriptedContent) =>
  usage && {
    input_tokens: usage.pt,
    input_tokens_details: { cached_tokens: usage.cct ?? 0 },
    output_tokens: usage.ct,
    output_tokens_details: { reasoning_tokens: usage.rt ?? 0 },
    total_tokens: usage.pt + usage.ct,
  };

const messageOf = ({ text = '', stopReason }: ScriptedContent, number: number) => ({
  id: `msg_${number}`,
  type: 'message',
  status: 'completed',
  role: 'assistant',
  content: [
    stopReason === 'refusal'
      ? { type: 'refusal', refusal: text || 'I can not help with that.' }
      : { type: 'output_text', annotations: [], text },
  ],
});

const itemsOf = (content: ScriptedContent, number: number): Record<string, unknown>[] => [
  ...(content.reasoning === undefined
    ? []
    : [{ id: `rs_${number}`, type: 'reasoning', summary: [{ type: 'summary_text', text: content.reasoning }] }]),
  ...(content.text === undefined && content.stopReason !== 'refusal' ? [] : [messageOf(content, number)]),
  ...(content.calls ?? []).map((call, index) => ({
    id: `fc_${number}_${index}`,
    type: 'function_call',
    status: 'completed',
    call_id: call.id ?? `call_${number}_${index}`,
    name: call.name,
    arguments: argumentsText(call.arguments),
  })),
];

const incomplete: Record<string, string> = { length: 'max_output_tokens', content_filter: 'content_filter' };

const bodyOf = (content: ScriptedContent, number: number): Record<string, unknown> => {
  const reason = incomplete[content.stopReason ?? ''];
  return {
    id: content.id ?? `resp_${number}`,
    object: 'response',
    created_at: 1_700_000_000 + number,
    status: reason === undefined ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    model: content.model ?? 'scripted',
    output: itemsOf(content, number),
    parallel_tool_calls: true,
    ...(content.usage ? { usage: usageOf(content) } : {}),
  };
};

const deltaEvents = (item: Record<string, unknown>, output_index: number): Record<string, unknown>[] => {
  const item_id = item['id'];
  if (item['type'] === 'reasoning') {
    const [part] = recordsOf(item['summary']);
    return inPieces(textOf(part?.['text']) ?? '').map((delta) => ({
      type: 'response.reasoning_summary_text.delta',
      item_id,
      output_index,
      summary_index: 0,
      delta,
    }));
  }
  if (item['type'] === 'function_call') {
    return inPieces(String(item['arguments'])).map((delta) => ({
      type: 'response.function_call_arguments.delta',
      item_id,
      output_index,
      delta,
    }));
  }
  const [part] = recordsOf(item['content']);
  const type = part?.['type'] === 'refusal' ? 'response.refusal.delta' : 'response.output_text.delta';
  return inPieces(textOf(part?.['text']) ?? textOf(part?.['refusal']) ?? '').map((delta) => ({
    type,
    item_id,
    output_index,
    content_index: 0,
    delta,
  }));
};

const toTurns = (item: Record<string, unknown>): ReadTurn[] => {
  if (item['type'] === 'function_call') {
    const args: unknown = JSON.parse(String(item['arguments']));
    return [
      turnOf('assistant', { calls: [{ id: String(item['call_id']), name: String(item['name']), arguments: args }] }),
    ];
  }
  if (item['type'] === 'function_call_output')
    return [turnOf('tool', { results: [{ id: String(item['call_id']), text: String(item['output']) }] })];
  if (item['role'] !== 'user' && item['role'] !== 'assistant') return [];
  const content = item['content'];
  const parts = typeof content === 'string' ? [{ type: 'input_text', text: content }] : recordsOf(content);
  const pick = (type: string, ...fields: string[]) =>
    parts.flatMap((part: Record<string, unknown>) =>
      part['type'] === type ? [String(fields.map((field) => part[field]).find((value) => value !== undefined))] : [],
    );
  return [
    turnOf(item['role'], {
      texts: pick('input_text', 'text'),
      images: pick('input_image', 'image_url'),
      documents: pick('input_file', 'file_data', 'file_url'),
    }),
  ];
};

/** The Responses API. Source: `Response`, `ResponseStreamEvent` of openai 6.49.0. */
export const responses: Wire = {
  name: 'responses',
  path: '/responses',
  contentType: { plain: 'application/json', stream: 'text/event-stream' },
  toBody: bodyOf,
  toStream: (content, number) => {
    const body = bodyOf(content, number);
    const open = { ...body, status: 'in_progress', output: [] };
    const items = itemsOf(content, number);
    const events: Record<string, unknown>[] = [
      { type: 'response.created', response: open },
      { type: 'response.in_progress', response: open },
      ...items.flatMap((item, output_index) => [
        { type: 'response.output_item.added', output_index, item: { ...item, status: 'in_progress' } },
        ...deltaEvents(item, output_index),
        { type: 'response.output_item.done', output_index, item },
      ]),
      { type: body['status'] === 'incomplete' ? 'response.incomplete' : 'response.completed', response: body },
    ];
    return events.map((event, sequence_number) => sse({ ...event, sequence_number }, String(event['type'])));
  },
  frame: (event) => sse(event, isRecord(event) ? String(event['type']) : undefined),
  stopReasons: ['stop', 'tool_calls', 'length', 'refusal', 'content_filter'],
  end: [],
  toFailure: (_status, code, message) => ({ error: { message, type: code, param: null, code } }),
  read: (body) => {
    const items =
      typeof body['input'] === 'string' ? [{ role: 'user', content: body['input'] }] : recordsOf(body['input']);
    const text = isRecord(body['text']) ? body['text']['format'] : undefined;
    return {
      model: String(body['model']),
      system: items.flatMap((item: Record<string, unknown>) =>
        item['role'] === 'system' ? [String(item['content'])] : [],
      ),
      turns: items.flatMap(toTurns),
      tools: recordsOf(body['tools']).map(({ name, type, parameters }) => ({ name: String(name ?? type), parameters })),
      ...(text === undefined ? {} : { format: text }),
    };
  },
};
