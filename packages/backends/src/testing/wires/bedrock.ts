import { isRecord, recordsOf, textOf } from '../../shape.js';
import { toEventMessage } from '../event-stream.js';
import { argumentsText, inPieces, type ReadTurn, type ScriptedContent, turnOf, type Wire } from '../wire.js';

type Block = Record<string, unknown>;

const usageOf = ({ usage }: ScriptedContent) =>
  usage && {
    inputTokens: usage.pt - (usage.cct ?? 0) - (usage.cwt ?? 0),
    outputTokens: usage.ct,
    totalTokens: usage.pt + usage.ct,
    ...(usage.cct === undefined ? {} : { cacheReadInputTokens: usage.cct }),
    ...(usage.cwt === undefined ? {} : { cacheWriteInputTokens: usage.cwt }),
  };

const stopReasons: Record<string, string> = {
  stop: 'end_turn',
  tool_calls: 'tool_use',
  length: 'max_tokens',
  content_filter: 'content_filtered',
};

const stopOf = ({ stopReason, calls }: ScriptedContent): string =>
  stopReasons[stopReason ?? (calls?.length ? 'tool_calls' : 'stop')] ?? 'end_turn';

const blocksOf = (content: ScriptedContent, number: number): Block[] => [
  ...(content.reasoning === undefined
    ? []
    : [{ reasoningContent: { reasoningText: { text: content.reasoning, signature: content.signature ?? 'signed' } } }]),
  ...(content.text === undefined ? [] : [{ text: content.text }]),
  ...(content.calls ?? []).map((call, index) => ({
    toolUse: { toolUseId: call.id ?? `tooluse_${number}_${index}`, name: call.name, input: call.arguments },
  })),
];

const event = (type: string, payload: unknown): Buffer => toEventMessage(type, JSON.stringify(payload));

const blockEvents = (block: Block, contentBlockIndex: number): Buffer[] => {
  const delta = (piece: unknown) => event('contentBlockDelta', { contentBlockIndex, delta: piece });
  const { text, toolUse, reasoningContent } = block;
  const pieces: Buffer[] = [];
  if (isRecord(toolUse)) {
    const { input, ...start } = toolUse;
    pieces.push(event('contentBlockStart', { contentBlockIndex, start: { toolUse: start } }));
    pieces.push(...inPieces(argumentsText(input)).map((piece) => delta({ toolUse: { input: piece } })));
  } else if (isRecord(reasoningContent) && isRecord(reasoningContent['reasoningText'])) {
    const { text: thought, signature } = reasoningContent['reasoningText'];
    pieces.push(
      ...inPieces(String(thought)).map((piece) => delta({ reasoningContent: { text: piece } })),
      delta({ reasoningContent: { signature } }),
    );
  } else pieces.push(...inPieces(String(text)).map((piece) => delta({ text: piece })));
  return [...pieces, event('contentBlockStop', { contentBlockIndex })];
};

const toTurn = ({ role, content }: Block): ReadTurn[] => {
  const blocks = recordsOf(content);
  const own = (name: string) => blocks.flatMap((block) => (isRecord(block[name]) ? [block[name]] : []));
  const bytesOf = (block: Block) => `data:;base64,${String(isRecord(block['source']) ? block['source']['bytes'] : '')}`;
  const results = own('toolResult').map((result) => ({
    id: String(result['toolUseId']),
    text: recordsOf(result['content'])
      .map((part) => textOf(part['text']) ?? '')
      .join(''),
  }));
  return [
    turnOf(role === 'assistant' ? 'assistant' : results.length > 0 ? 'tool' : 'user', {
      texts: blocks.flatMap((block) => (typeof block['text'] === 'string' ? [block['text']] : [])),
      images: own('image').map(bytesOf),
      documents: own('document').map(bytesOf),
      calls: own('toolUse').map(({ toolUseId, name, input }) => ({
        id: String(toolUseId),
        name: String(name),
        arguments: input,
      })),
      results,
    }),
  ];
};

/** Bedrock's Converse and ConverseStream. Source: `ConverseResponse`, `ConverseStreamOutput` of @aws-sdk/client-bedrock-runtime 3.1164.0. */
export const bedrock: Wire = {
  name: 'bedrock',
  path: '/converse',
  isPath: (path) => /\/model\/[^/]+\/converse(?:-stream)?$/.test(path),
  isStreamed: (path) => path.endsWith('-stream'),
  contentType: { plain: 'application/json', stream: 'application/vnd.amazon.eventstream' },
  toBody: (content, number) => ({
    output: { message: { role: 'assistant', content: blocksOf(content, number) } },
    stopReason: stopOf(content),
    ...(content.usage ? { usage: usageOf(content) } : {}),
    metrics: { latencyMs: 12 },
  }),
  toStream: (content, number) => [
    event('messageStart', { role: 'assistant' }),
    ...blocksOf(content, number).flatMap(blockEvents),
    event('messageStop', { stopReason: stopOf(content) }),
    event('metadata', { ...(content.usage ? { usage: usageOf(content) } : {}), metrics: { latencyMs: 12 } }),
  ],
  frame: (recorded) => {
    if (typeof recorded === 'string') return toEventMessage('contentBlockDelta', recorded);
    const [type = '', payload] = Object.entries(isRecord(recorded) ? recorded : {})[0] ?? [];
    return toEventMessage(type, JSON.stringify(payload), type.endsWith('Exception') ? 'exception' : 'event');
  },
  end: [],
  stopReasons: ['stop', 'tool_calls', 'length', 'content_filter'],
  toFailure: (_status, code, message) => ({ __type: code, message }),
  read: (body, path) => {
    const config = isRecord(body['toolConfig']) ? body['toolConfig'] : {};
    return {
      model: decodeURIComponent(/\/model\/([^/]+)\//.exec(path)?.[1] ?? ''),
      system: recordsOf(body['system']).flatMap(({ text }) => (typeof text === 'string' ? [text] : [])),
      turns: recordsOf(body['messages']).flatMap(toTurn),
      tools: recordsOf(config['tools']).flatMap(({ toolSpec: spec }) =>
        isRecord(spec)
          ? [
              {
                name: String(spec['name']),
                parameters: isRecord(spec['inputSchema']) ? spec['inputSchema']['json'] : undefined,
              },
            ]
          : [],
      ),
      ...(body['outputConfig'] === undefined ? {} : { format: body['outputConfig'] }),
    };
  },
};
