import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Answer, ask, backends as builtIn, type Reply, type WireBackend } from '@colophon/backends';
import { nodeContext } from '@colophon/backends/node';
import { type ScriptedReply, type ScriptedServer, scriptedServer } from '@colophon/backends/testing';
import {
  type Meta,
  nextMeta,
  normalizeUsage,
  parseMeta,
  printMeta,
  sumTokens,
  type Tokens,
} from '@colophon/chat-format';
import { strategies } from '@colophon/prompt-strategies';
import type { Tool } from '@colophon/tools';
import type { Json, Operation, Place } from '../vector.js';
import { chatOf, plainMessages } from './chat-of.js';

/** Backends with a wire format, by the providers' names; vLLM speaks the Responses API. */
const wireNames = {
  openai: 'openai',
  responses: 'responses',
  anthropic: 'anthropic',
  ollama: 'ollama',
  vllm: 'responses',
} as const;

const wireNameOf = (provider: string) => wireNames[provider as keyof typeof wireNames];

const wireOf = async (provider: string): Promise<WireBackend> => {
  const name = wireNameOf(provider);
  if (name === undefined) throw new Error(`unknown provider ${provider}`);
  return builtIn[name]();
};

const requestOptions = {
  model: 'm-1',
  parameters: {},
  boundaries: [],
  readBytes: (path: string) => readFile(path),
};

/** A tool from a definition in any of the forms that providers use. */
const toolOf = (definition: Json, run: Tool['run'] = () => null): Tool => {
  const { name, description = '', parameters = { type: 'object', properties: {} } } = definition.function ?? definition;
  return { name, description, parameters, run };
};

const answerTool = (handler: Json, values: Record<string, unknown>): unknown => {
  if (handler?.raise !== undefined) throw new Error(handler.raise);
  if (handler?.return_error !== undefined) return new Error(handler.return_error);
  return handler?.echo_arguments ? values : handler?.return;
};

/** A scripted reply as the server sends it; Ollama's are lists of chunks. */
const scripted = (response: Json): ScriptedReply => {
  if (response?.$raise !== undefined) return { status: 400, message: response.$raise };
  return Array.isArray(response) ? { body: response.at(-1), events: response } : { body: response };
};

/** Options of the loop have names with capitals, parameters of a provider keep theirs. */
const loopOptions: Record<string, string> = {
  prompt_strategies: 'promptStrategies',
  previous_response: 'previousResponse',
  previous_response_id: 'previousResponseId',
  max_rounds: 'maxRounds',
  max_content_length: 'maxContentLength',
  save_file: 'saveFile',
};

const optionsOf = (options: Json = {}) =>
  Object.fromEntries(Object.entries(options).map(([name, value]) => [loopOptions[name] ?? name, value]));

const answerResult = (answer: Answer) => ({
  answer: answer.text,
  roles: answer.messages.map(({ role }) => role),
  metas: answer.messages.filter(({ role }) => role === 'meta').map(({ content }) => parseMeta(content)),
  messages: plainMessages(answer.messages),
  last_message: plainMessages(answer.messages).at(-1),
  stop_reason: answer.stopReason,
});

/** Leads every provider's client to the scripted server, whichever the chat or an endpoint picks. */
const environmentOf = (urls: ScriptedServer['urls']) => ({
  OPENAI_API_KEY: 'k-1',
  OPENAI_BASE_URL: urls.openai,
  ANTHROPIC_API_KEY: 'k-1',
  ANTHROPIC_BASE_URL: urls.anthropic,
  OLLAMA_HOST: urls.ollama,
});

/** Asks through the real client of a provider, which talks to a local server that answers by the script. */
const askScripted = async (input: Json, { root }: Place) => {
  const server = await scriptedServer((input.responses ?? []).map(scripted), { repeat: true, lenient: true });
  const handled: { name: string; arguments: unknown }[] = [];
  let probes = 0;
  const probe = input.register_probe
    ? {
        probe: (chat: Json) => {
          probes++;
          return chat;
        },
      }
    : {};
  const bodies = () => server.requests.map(({ body }) => body);
  try {
    const wire = wireNameOf(input.provider);
    const tools = (input.tools ?? []).map((definition: Json) =>
      toolOf(definition, (values) => {
        handled.push({ name: toolOf(definition).name, arguments: values });
        return answerTool(input.handler, values);
      }),
    );
    const answer = await ask(chatOf(input), {
      ...(input.provider === undefined ? {} : { backend: input.provider }),
      ...(wire === undefined ? {} : { key: 'k-1', url: server.urls[wire] }),
      ...(wire === 'ollama' ? { onDelta: () => {} } : {}),
      ...(input.prompt_strategies === undefined ? {} : { promptStrategies: input.prompt_strategies }),
      ...(input.save_file ? { saveFile: input.save_file } : {}),
      ...optionsOf(input.options),
      tools,
      context: nodeContext({
        environment: environmentOf(server.urls),
        workingDirectory: root,
        roots: [{ path: root, trusted: true }],
        strategies: { ...strategies, ...probe },
      }),
    });
    const [first, second] = bodies().map((body) => JSON.stringify(body));
    return {
      ...answerResult(answer),
      requests: bodies(),
      request_text: JSON.stringify(bodies()),
      first_request_text: first,
      second_request_text: second,
      handler_calls: handled,
      probe_calls: probes,
    };
  } catch (error) {
    throw Object.assign(error as Error, { requests: bodies() });
  } finally {
    await server.close();
  }
};

/** What the loop records of one reply, going on from the record before it. */
const recordedMeta = async (reply: Reply, current: Meta | undefined): Promise<Meta> => {
  const chat = [
    ...(current ? [{ role: 'meta', content: printMeta(current) }] : []),
    { role: 'user', content: 'Go on.' },
  ];
  const { messages } = await ask(chat, {
    backend: { name: 'scripted', reply: () => reply },
    model: 'm-1',
    context: nodeContext({ randomId: randomUUID }),
  });
  return parseMeta(messages.find(({ role }) => role === 'meta')?.content ?? '');
};

const replyOf = async (response: Json, provider: string | undefined): Promise<Reply> => {
  if (provider !== undefined) return { ...(await wireOf(provider)).fromReply(response), calls: [] };
  const usage = normalizeUsage(response.usage);
  return { messages: [], calls: [], usage, ...(response.id === undefined ? {} : { id: response.id }) };
};

/** The reply that holds one call, in each provider's shape. */
const around: Record<string, (call: Json) => unknown> = {
  openai: (call) => ({ choices: [{ message: { role: 'assistant', content: null, tool_calls: [call] } }] }),
  responses: (call) => ({ output: [call] }),
  anthropic: (call) => ({ content: [call] }),
  ollama: (call) => ({ message: { role: 'assistant', content: '', tool_calls: [call] }, done: true }),
};

const reasoningOf = (backend: WireBackend, response: unknown): string | null => {
  try {
    return backend.fromReply(response).reasoning ?? null;
  } catch {
    // A reply without the expected shape is an error in a loop; as for its reasoning, there is none.
    return null;
  }
};

/** Providers: their shapes, and asking through them. */
export const backends: Record<string, Operation> = {
  format_messages: async (input) => {
    const backend = await wireOf(input.provider);
    const request = await backend.toRequest(chatOf(input), [], requestOptions);
    return { messages: request.messages ?? request.input, system: request.system };
  },
  format_tools: async ({ provider, tools }) => {
    const backend = await wireOf(provider);
    const definitions = tools.map((definition: Json) => toolOf(definition));
    return { tools: (await backend.toRequest([{ role: 'user', content: 'Go.' }], definitions, requestOptions)).tools };
  },
  reasoning: async ({ api, responses }) => {
    const backend = await wireOf(api === 'chat' ? 'openai' : api);
    return { reasonings: responses.map((response: unknown) => reasoningOf(backend, response)) };
  },
  parse_tool_call: async ({ provider, call, twice }) => {
    const backend = await wireOf(provider);
    const read = () => backend.fromReply(around[wireNameOf(provider)]?.(call)).calls[0];
    const first = read();
    return { call: first, same_id: twice ? read()?.id === first?.id : null };
  },
  update_meta: async ({ provider, responses, session: before = {}, current_meta }) => {
    const metas: Meta[] = [];
    let session: Tokens = before;
    let current: Meta | undefined = current_meta ?? undefined;
    for (const response of responses) {
      const reply = await replyOf(response, provider);
      const usage = reply.usage ?? {};
      // A session is one run of the loop: totals from before it are the caller's.
      const meta: Meta = { ...(await recordedMeta(reply, current)), ...nextMeta(usage, current, session) };
      session = sumTokens([session, usage]);
      current = meta;
      metas.push(meta);
    }
    return { metas, distinct_ids: new Set(metas.map((meta) => meta['inference_id'])).size };
  },
  ask: askScripted,
};
