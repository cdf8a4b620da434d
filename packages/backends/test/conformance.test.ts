import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { aiSdk, backends, type Credentials, defineBackend, type WireBackend } from '@colophon/backends';
import {
  conformanceCases,
  runConformance,
  type ScriptedReply,
  type StartStage,
  type WireName,
} from '@colophon/backends/testing';
import { describe, expect, test } from 'vitest';

const names: WireName[] = ['responses', 'openai', 'anthropic', 'ollama', 'bedrock', 'google'];

describe.each(await Promise.all(names.map(async (name) => ({ name, backend: await backends[name]() }))))(
  '$name',
  ({ name, backend }) => {
    runConformance(backend, { test, wire: name });
  },
);

const variants = ['vllm', 'openwebui', 'glm', 'huggingface'] as const;

describe.each(await Promise.all(variants.map(async (name) => ({ name, backend: await backends[name]() }))))(
  '$name',
  ({ backend }) => {
    runConformance(backend, { test, wire: 'openai' });
  },
);

describe('ai-sdk', () => {
  const backend: WireBackend = {
    ...aiSdk(createOpenAICompatible({ name: 'any', baseURL: 'http://127.0.0.1' })('scripted')),
    client: (credentials: Credentials) => async () =>
      createOpenAICompatible({
        name: 'any',
        baseURL: String(credentials.url),
        apiKey: String(credentials.key),
        includeUsage: true,
        supportsStructuredOutputs: true,
        fetch: (input, init) =>
          fetch(input, {
            ...init,
            signal: AbortSignal.any([
              AbortSignal.timeout(Number(credentials.timeout)),
              ...(init?.signal ? [init.signal] : []),
            ]),
          }),
      })('scripted'),
  };
  runConformance(backend, { test, wire: 'openai', stopReasons: ['stop', 'tool_calls', 'length', 'content_filter'] });
});

/** A backend without a wire format that answers by whatever script it is led to. */
const scripted = () => {
  let left: ScriptedReply[] = [];
  const backend = defineBackend({
    name: 'scripted',
    capabilities: { tools: true, images: false, pdf: false, jsonSchema: false, streaming: false },
    reply: async (_chat, { signal }) => {
      signal?.throwIfAborted();
      const next = left.shift();
      if (!next) throw new Error('no reply is left');
      if ('status' in next)
        throw Object.assign(new Error(next.message), { status: next.status, code: next.code, headers: next.headers });
      if (next.fault === 'hang')
        await new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
      if ('body' in next) throw new Error('a recorded body has no meaning here');
      const { text, calls = [], usage, stopReason } = next;
      return {
        messages: text === undefined ? [] : [{ role: 'assistant', content: text }],
        calls: calls.map((call, index) => ({ id: `call_${index}`, ...call })),
        stopReason: stopReason ?? (calls.length > 0 ? 'tool_calls' : 'stop'),
        ...(usage ? { usage } : {}),
      };
    },
  });
  const start: StartStage = async (replies) => {
    left = [...replies];
    return { requests: () => [], secrets: ['scripted-key-0123456789'], stop: async () => {} };
  };
  return { backend, start };
};

describe('a backend without a wire format', () => {
  const { backend, start } = scripted();
  runConformance(backend, { test, start, stopReasons: ['stop', 'length', 'refusal'] });
});

const openai = await backends.openai();

describe('the suite itself', () => {
  /** Whether a changed backend fails the case of this name. */
  const fails = async (name: string, change: Partial<typeof openai>): Promise<boolean> => {
    const found = conformanceCases({ ...openai, ...change }, { wire: 'openai' }).find((one) =>
      one.name.startsWith(name),
    );
    if (!found) throw new Error(`there is no case ${name}`);
    return found.run().then(
      () => false,
      () => true,
    );
  };

  test('needs to know how to reach the backend', () => {
    expect(() => conformanceCases(openai, {})).toThrow(/wire/);
  });

  test.each<[string, string, Partial<typeof openai>]>([
    [
      'drops the text beside calls',
      'reads parallel calls',
      { fromReply: (raw, context) => ({ ...openai.fromReply(raw, context), messages: [] }) },
    ],
    [
      'loses system text',
      'keeps the order of turns',
      {
        toRequest: (chat, tools, options) =>
          openai.toRequest(
            chat.filter(({ role }) => role !== 'system'),
            tools,
            options,
          ),
      },
    ],
    [
      'does not stream',
      'streams what',
      { send: (request, client, { onDelta: _, ...context }) => openai.send(request, client, context) },
    ],
    [
      'does not listen to its signal',
      'does not begin what',
      { send: (request, client, { signal: _, ...context }) => openai.send(request, client, context) },
    ],
    [
      'changes the chat',
      'leaves the chat',
      {
        toRequest: (chat, tools, options) => {
          Object.assign(chat[0] ?? {}, { content: 'x' });
          return openai.toRequest(chat, tools, options);
        },
      },
    ],
  ])('finds a backend that %s', async (_, name, change) => {
    expect(await fails(name, {})).toBe(false);
    expect(await fails(name, change)).toBe(true);
  });
});
