import { isRecord, recordsOf, textOf } from '../../shape.js';
import { inPieces, type ReadTurn, type ScriptedContent, turnOf, type Wire } from '../wire.js';

const line = (data: unknown): string => `${typeof data === 'string' ? data : JSON.stringify(data)}\n`;

const headOf = ({ model = 'scripted' }: ScriptedContent, number: number) => ({
  model,
  created_at: new Date(1_700_000_000_000 + number).toISOString(),
});

const callsOf = ({ calls = [] }: ScriptedContent) =>
  calls.map((call, index) => ({
    ...(call.id === undefined ? {} : { id: call.id }),
    function: { index, name: call.name, arguments: call.arguments },
  }));

const endOf = ({ usage, stopReason }: ScriptedContent) => ({
  done: true,
  done_reason: stopReason === 'length' ? 'length' : 'stop',
  total_duration: 1_000_000,
  load_duration: 1000,
  ...(usage
    ? { prompt_eval_count: usage.pt, prompt_eval_duration: 1000, eval_count: usage.ct, eval_duration: 1000 }
    : {}),
});

const toTurn = (message: Record<string, unknown>): ReadTurn => {
  const text = textOf(message['content']) ?? '';
  if (message['role'] === 'tool') return turnOf('tool', { results: [{ id: String(message['tool_call_id']), text }] });
  const calls = recordsOf(message['tool_calls']).map((call) => {
    const inner = isRecord(call['function']) ? call['function'] : {};
    return { id: String(call['id']), name: String(inner['name']), arguments: inner['arguments'] };
  });
  const images = Array.isArray(message['images'])
    ? message['images'].map((image) => `data:image;base64,${String(image)}`)
    : [];
  return turnOf(message['role'] === 'assistant' ? 'assistant' : 'user', {
    texts: text === '' ? [] : [text],
    images,
    calls,
  });
};

/** Ollama's chat API. Source: `ChatResponse` of ollama 0.6.4; docs.ollama.com/api/chat. */
export const ollama: Wire = {
  name: 'ollama',
  path: '/api/chat',
  contentType: { plain: 'application/json', stream: 'application/x-ndjson' },
  toBody: (content, number) => ({
    ...headOf(content, number),
    message: {
      role: 'assistant',
      content: content.text ?? '',
      ...(content.reasoning === undefined ? {} : { thinking: content.reasoning }),
      ...(content.calls?.length ? { tool_calls: callsOf(content) } : {}),
    },
    ...endOf(content),
  }),
  toStream: (content, number) => {
    const head = headOf(content, number);
    const chunk = (message: Record<string, unknown>) =>
      line({ ...head, message: { role: 'assistant', content: '', ...message }, done: false });
    return [
      ...inPieces(content.reasoning ?? '').map((thinking) => chunk({ thinking })),
      ...inPieces(content.text ?? '').map((piece) => chunk({ content: piece })),
      ...callsOf(content).map((call) => chunk({ tool_calls: [call] })),
      line({ ...head, message: { role: 'assistant', content: '' }, ...endOf(content) }),
    ];
  },
  frame: line,
  stopReasons: ['stop', 'tool_calls', 'length'],
  end: [],
  toFailure: (_status, code, message) => ({ error: `${message} (${code})` }),
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
      ...(body['format'] === undefined ? {} : { format: body['format'] }),
    };
  },
};
