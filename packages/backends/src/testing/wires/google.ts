import { isRecord, recordsOf, textOf } from '../../shape.js';
import { inPieces, type ReadTurn, type ScriptedContent, sse, turnOf, type Wire } from '../wire.js';

type Part = Record<string, unknown>;

const usageOf = ({ usage }: ScriptedContent) =>
  usage && {
    promptTokenCount: usage.pt,
    candidatesTokenCount: usage.ct - (usage.rt ?? 0),
    ...(usage.rt === undefined ? {} : { thoughtsTokenCount: usage.rt }),
    ...(usage.cct === undefined ? {} : { cachedContentTokenCount: usage.cct }),
    totalTokenCount: usage.pt + usage.ct,
  };

const finishReasons: Record<string, string> = { length: 'MAX_TOKENS', content_filter: 'SAFETY' };

const callParts = ({ calls = [] }: ScriptedContent): Part[] =>
  calls.map((call) => ({
    functionCall: { ...(call.id === undefined ? {} : { id: call.id }), name: call.name, args: call.arguments },
  }));

const chunk = (content: ScriptedContent, number: number, parts: Part[], last: boolean) => ({
  candidates: [
    {
      content: { parts, role: 'model' },
      ...(last ? { finishReason: finishReasons[content.stopReason ?? ''] ?? 'STOP' } : {}),
      index: 0,
    },
  ],
  ...(content.usage ? { usageMetadata: usageOf(content) } : {}),
  modelVersion: content.model ?? 'scripted',
  responseId: content.id ?? `response_${number}`,
});

const partsOf = (content: ScriptedContent): Part[] => [
  ...(content.reasoning === undefined ? [] : [{ text: content.reasoning, thought: true }]),
  ...(content.text === undefined ? [] : [{ text: content.text }]),
  ...callParts(content),
];

const toTurn = ({ role, parts }: Part): ReadTurn[] => {
  const all = recordsOf(parts);
  const own = (name: string) => all.flatMap((part) => (isRecord(part[name]) ? [part[name]] : []));
  const files = (type: string) =>
    own('inlineData').flatMap(({ mimeType, data }) =>
      String(mimeType).startsWith(type) ? [`data:${mimeType};base64,${data}`] : [],
    );
  const results = own('functionResponse').map(({ id, response }) => {
    const { result, error = result } = isRecord(response) ? response : {};
    return { id: String(id), text: typeof error === 'string' ? error : JSON.stringify(response) };
  });
  return [
    turnOf(role === 'model' ? 'assistant' : results.length > 0 ? 'tool' : 'user', {
      texts: all.flatMap((part) => (typeof part['text'] === 'string' ? [part['text']] : [])),
      images: files('image/'),
      documents: files('application/'),
      calls: own('functionCall').map(({ id, name, args }) => ({ id: String(id), name: String(name), arguments: args })),
      results,
    }),
  ];
};

/** The Gemini API. Source: `GenerateContentResponse` of @google/genai 2.32.0; ai.google.dev/api/generate-content. */
export const google: Wire = {
  name: 'google',
  path: ':generateContent',
  isPath: (path) => /:(?:generate|streamGenerate)Content$/.test(path),
  isStreamed: (path) => path.endsWith(':streamGenerateContent'),
  contentType: { plain: 'application/json', stream: 'text/event-stream' },
  toBody: (content, number) => chunk(content, number, partsOf(content), true),
  toStream: (content, number) => {
    const pieces = [
      ...inPieces(content.reasoning ?? '').map((text) => [{ text, thought: true }]),
      ...inPieces(content.text ?? '').map((text) => [{ text }]),
      ...callParts(content).map((part) => [part]),
    ];
    return [
      ...pieces.map((parts) => sse(chunk(content, number, parts, false))),
      sse(chunk(content, number, [{ text: '' }], true)),
    ];
  },
  frame: (event) => sse(event),
  end: [],
  stopReasons: ['stop', 'tool_calls', 'length', 'content_filter'],
  toFailure: (status, code, message) => ({ error: { code: status, message, status: code } }),
  read: (body, path) => {
    const config = isRecord(body['generationConfig']) ? body['generationConfig'] : {};
    const format = config['responseJsonSchema'] ?? config['responseSchema'];
    const system = isRecord(body['systemInstruction']) ? recordsOf(body['systemInstruction']['parts']) : [];
    return {
      model: /models\/([^:/]+):/.exec(path)?.[1] ?? '',
      system: system.map(({ text }) => textOf(text) ?? ''),
      turns: recordsOf(body['contents']).flatMap(toTurn),
      tools: recordsOf(body['tools']).flatMap(({ functionDeclarations: declared }) =>
        recordsOf(declared).map(({ name, parametersJsonSchema: schema, parameters }) => ({
          name: String(name),
          parameters: schema ?? parameters,
        })),
      ),
      ...(format === undefined ? {} : { format }),
    };
  },
};
