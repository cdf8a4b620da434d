import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { ask as askBackend, type Reply, type WireBackend } from '@colophon/backends';
import { nodeContext } from '@colophon/backends/node';
import {
  type Meta,
  nextMeta,
  normalizeUsage,
  parseMeta,
  printMeta,
  sumTokens,
  type Tokens,
} from '@colophon/chat-format';
import type { Json, Operation } from '../vector.js';
import { ask } from './ask.js';
import { chatOf } from './chat-of.js';
import { embed } from './embed.js';
import { toolOf, wireNameOf, wireOf } from './providers.js';

const requestOptions = {
  model: 'm-1',
  parameters: {},
  boundaries: [],
  readBytes: (path: string) => readFile(path),
};

/** What the loop records of one reply, going on from the record before it. */
const recordedMeta = async (reply: Reply, current: Meta | undefined): Promise<Meta> => {
  const record = current ? [{ role: 'meta', content: printMeta(current) }] : [];
  const { messages } = await askBackend([...record, { role: 'user', content: 'Go on.' }], {
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
  ask,
  embed,
};
