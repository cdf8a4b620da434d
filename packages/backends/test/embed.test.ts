import { ask, backends, embed, nearest } from '@colophon/backends';
import { type ScriptedReply, scriptedServer } from '@colophon/backends/testing';
import { expect, test } from 'vitest';
import { freshFolder, testContext } from './helpers.js';

const overServer = async <T>(
  script: ScriptedReply[],
  use: (context: ReturnType<typeof testContext>) => Promise<T>,
  more: Record<string, string> = {},
) => {
  const server = await scriptedServer(script);
  const { urls } = server;
  const environment = {
    OPENAI_BASE_URL: urls.openai,
    OPENAI_API_KEY: 'embedding-key-0123456789',
    OLLAMA_HOST: urls.ollama,
    GOOGLE_URL: urls.google,
    GEMINI_API_KEY: 'embedding-key-0123456789',
    BEDROCK_URL: urls.bedrock,
    VLLM_URL: urls.openai,
    ...more,
  };
  try {
    return { result: await use(testContext(freshFolder(), { environment })), requests: server.requests };
  } finally {
    await server.close();
  }
};

const rows = (...vectors: number[][]) => vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }));

test('by each provider: its address, its body, its vectors, its counts', async () => {
  const asked = async (backend: string, body: unknown, more: object = {}) => {
    const texts = backend === 'bedrock' ? ['one'] : ['one', 'two'];
    const { result, requests } = await overServer([{ body }], (context) => embed(texts, { backend, context, ...more }));
    return { ...result, path: requests[0]?.path, sent: requests[0]?.body };
  };
  const ofOpenAi = { data: rows([1, 0], [0, 1]).reverse(), usage: { prompt_tokens: 4, total_tokens: 4 } };
  for (const backend of ['openai', 'responses'])
    expect(await asked(backend, ofOpenAi, { dimensions: 2 }), backend).toEqual({
      vectors: [
        [1, 0],
        [0, 1],
      ],
      model: 'text-embedding-3-small',
      tokens: { pt: 4, tt: 4 },
      path: '/v1/embeddings',
      sent: { model: 'text-embedding-3-small', input: ['one', 'two'], encoding_format: 'float', dimensions: 2 },
    });
  expect(await asked('vllm', ofOpenAi, { model: 'bge' })).toMatchObject({ model: 'bge', tokens: { pt: 4 } });
  const ofOllama = {
    embeddings: [
      [1, 0],
      [0, 1],
    ],
    prompt_eval_count: 5,
  };
  expect(await asked('ollama', ofOllama)).toMatchObject({
    tokens: { pt: 5, tt: 5 },
    path: '/api/embed',
    sent: { model: 'nomic-embed-text', input: ['one', 'two'] },
  });
  const ofGoogle = { embeddings: [{ values: [1, 0] }, { values: [0, 1] }] };
  expect(await asked('google', ofGoogle)).toMatchObject({
    vectors: ofGoogle.embeddings.map(({ values }) => values),
    tokens: {},
    path: '/v1beta/models/gemini-embedding-001:batchEmbedContents',
  });
  expect(await asked('bedrock', { embedding: [1, 2], inputTextTokenCount: 3 })).toMatchObject({
    vectors: [[1, 2]],
    tokens: { pt: 3, tt: 3 },
    path: '/model/amazon.titan-embed-text-v2%3A0/invoke',
    sent: { inputText: 'one' },
  });
});

test('many texts go in several requests, in their order; counts add up', async () => {
  const texts = Array.from({ length: 300 }, (_, index) => `text ${index}`);
  const part = (from: number, to: number): ScriptedReply => ({
    body: {
      data: rows(...texts.slice(from, to).map((_, index) => [from + index])),
      usage: { prompt_tokens: to - from, total_tokens: to - from },
    },
  });
  const { result, requests } = await overServer([part(0, 256), part(256, 300)], (context) =>
    embed(texts, { backend: 'openai', context }),
  );
  expect(requests).toHaveLength(2);
  expect(result.vectors.flat()).toEqual(texts.map((_, index) => index));
  expect(result.tokens).toEqual({ pt: 300, tt: 300 });
});

test('the model: of the call, of an endpoint named for it, of the environment; never that of chats', async () => {
  const model = async (more: Record<string, string>, call: object = {}) =>
    (
      await overServer(
        [{ body: { data: rows([1]) } }],
        (context) => embed('one', { backend: 'openai', context, ...call }),
        more,
      )
    ).result.model;
  expect(await model({ OPENAI_MODEL: 'gpt-x' })).toBe('text-embedding-3-small');
  expect(await model({ OPENAI_EMBED_MODEL: 'large' })).toBe('large');
  expect(await model({ OPENAI_EMBED_MODEL: 'large' }, { model: 'mine' })).toBe('mine');
});

test('what can not be embedded is told before anything is sent', async () => {
  const context = testContext(freshFolder());
  await expect(embed('x', { backend: 'anthropic', context })).rejects.toMatchObject({
    code: 'unsupported',
    message: expect.stringContaining('embeddings'),
  });
  await expect(embed(['x', ''], { backend: 'ollama', context })).rejects.toThrow('an empty text at place 1');
  await expect(embed('x', { backend: 'ollama', temperature: 1, context })).rejects.toMatchObject({
    code: 'unknown_option',
  });
  await expect(embed('x', { backend: 'vllm', context })).rejects.toThrow('VLLM_EMBED_MODEL');
  expect(await embed([], { backend: 'ollama', context })).toEqual({
    vectors: [],
    model: 'nomic-embed-text',
    tokens: {},
  });
});

test('failures: too few vectors, a refusal without the key', async () => {
  const short = overServer([{ body: { data: rows([1]) } }], (context) =>
    embed(['a', 'b'], { backend: 'openai', context }),
  );
  await expect(short).rejects.toMatchObject({ code: 'request_failed', facts: { providerCode: 'empty' } });
  const refused = await overServer([{ status: 401, message: 'embedding-key-0123456789' }], (context) =>
    embed('a', { backend: 'openai', context }),
  ).catch((error) => error);
  expect(refused.facts.status).toBe(401);
  expect(refused.message).not.toContain('embedding-key');
});

test('the nearest by the cosine or by the distance', async () => {
  const texts = ['far', 'along', 'same'];
  const reply = { body: { data: rows([0, 1], [9, 0.1], [1, 0.3], [1, 0]) } };
  const by = async (measure?: 'cosine' | 'l2') =>
    (
      await overServer([reply], (context) =>
        nearest(texts, 'query', 2, { backend: 'openai', context, ...(measure ? { measure } : {}) }),
      )
    ).result;
  expect((await by()).map(({ text, index }) => [text, index])).toEqual([
    ['along', 1],
    ['same', 2],
  ]);
  expect((await by('l2')).map(({ text }) => text)).toEqual(['same', 'far']);
  expect((await by())[0]?.score).toBeCloseTo(0.9999, 3);
  expect(await nearest([], 'query', 2, { backend: 'openai' })).toEqual([]);
});

test('a backend of embeddings answers chats too', async () => {
  expect((await backends.openai()).embeddings?.most).toBe(256);
  const { result } = await overServer([{ text: 'hi' }], (context) => ask('go', { backend: 'openai', context }));
  expect(result.text).toBe('hi');
});
