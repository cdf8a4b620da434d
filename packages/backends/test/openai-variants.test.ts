import { ask, backends, type WireBackend } from '@colophon/backends';
import { type ScriptedReply, scriptedServer } from '@colophon/backends/testing';
import { expect, test } from 'vitest';
import { freshFolder, testContext } from './helpers.js';
import { asking, call, output, tide, user } from './wire-helpers.js';

const [vllm, openwebui, glm, huggingface] = await Promise.all([
  backends.vllm(),
  backends.openwebui(),
  backends.glm(),
  backends.huggingface(),
]);

/** Asks by a name, of a server that plays the script, with these variables set. */
const overServer = async (
  backend: string,
  script: ScriptedReply[],
  more: object = {},
  names: Record<string, string> = {},
) => {
  const server = await scriptedServer(script);
  const upper = backend.toUpperCase();
  const environment = { [`${upper}_URL`]: server.urls.openai, [`${upper}_API_KEY`]: 'variant-key-123', ...names };
  const context = testContext(freshFolder(), { environment });
  try {
    return { answer: await ask('When?', { backend, context, model: 'm', ...more }), requests: server.requests };
  } finally {
    await server.close();
  }
};

test.each(['vllm', 'openwebui', 'glm', 'huggingface'])(
  '%s is asked at its own address with its own key',
  async (name) => {
    const { answer, requests } = await overServer(name, [{ text: 'At six.' }]);
    expect(answer.text).toBe('At six.');
    expect(requests[0]?.headers['authorization']).toBe('Bearer variant-key-123');
    expect(requests[0]?.body).toEqual({ model: 'm', messages: [{ role: 'user', content: 'When?' }], stream: false });
  },
);

test("OpenAI's cache key goes to none of them, and their own parameters to each", async () => {
  const keyed = { promptCacheKey: 'k', parameters: { top_k: 3 } };
  for (const backend of [vllm, openwebui, huggingface]) {
    const request = await asking(backend)([user('go')], keyed);
    expect(request, backend.name).toMatchObject({ top_k: 3 });
    expect(request, backend.name).not.toHaveProperty('prompt_cache_key');
  }
  await expect(ask('go', { backend: 'glm', context: testContext(freshFolder()), store: true })).rejects.toThrow(
    'Backend `glm` knows no option `store`.',
  );
});

test.each([
  ['glm', 'GLM_API_KEY'],
  ['huggingface', 'HF_TOKEN'],
])('%s says which key it needs', async (backend, name) => {
  const asked = ask('go', { backend, model: 'm', context: testContext(freshFolder()) });
  await expect(asked).rejects.toMatchObject({ code: 'missing_key', message: expect.stringContaining(name) });
});

test('huggingface has no model of its own', async () => {
  const context = testContext(freshFolder(), { environment: { HF_TOKEN: 'hf_x' } });
  await expect(ask('go', { backend: 'huggingface', context })).rejects.toMatchObject({
    code: 'no_model',
    message: expect.stringContaining('HF_MODEL'),
  });
});

test('vllm: calls that stand in the text are run, and the text before them kept', async () => {
  const block = '<tool_call>\n{"name":"tide","arguments":{"port":"Rye"}}\n</tool_call>';
  const { answer } = await overServer('vllm', [{ text: `I look.\n${block}` }, { text: 'At six.' }], { tools: [tide] });
  expect(answer.messages.map(({ role }) => role)).toEqual([
    'meta',
    'assistant',
    'function_call',
    'function_call_output',
    'meta',
    'assistant',
  ]);
  expect(answer.messages[1]?.content).toBe('I look.');
  expect(answer.text).toBe('At six.');
});

test('vllm: the same text without the tool stays text', async () => {
  const block = '<tool_call>{"name":"tide","arguments":{}}</tool_call>';
  expect((await overServer('vllm', [{ text: block }])).answer.text).toBe(block);
});

test('openwebui: four more tries, and an answer `null` is a failure', async () => {
  const down = { status: 500, message: 'loading', headers: { 'retry-after-ms': '1' } };
  const { answer, requests } = await overServer('openwebui', [down, down, down, down, { text: 'At six.' }]);
  expect([answer.text, requests.length]).toEqual(['At six.', 5]);
  await expect(overServer('openwebui', [{ body: null }])).rejects.toMatchObject({
    facts: { providerCode: 'empty', retryable: true },
  });
});

test('web search in the form of each', async () => {
  const search = { websearch: true };
  expect(await asking(openwebui)([user('go')], search)).toMatchObject({ features: { web_search: true } });
  expect((await asking(glm)([user('go')], search, [tide])).tools).toMatchObject([
    { type: 'function' },
    { type: 'web_search', web_search: { enable: true } },
  ]);
  await expect(
    ask('go', { backend: 'vllm', websearch: true, context: testContext(freshFolder()) }),
  ).rejects.toMatchObject({
    code: 'unsupported',
  });
});

test('glm: a schema is told in words, and checked in the answer', async () => {
  const format = { ok: 'boolean' };
  const { requests, answer } = await overServer('glm', [{ text: '{"ok":true}' }], { format });
  expect(requests[0]?.body).toMatchObject({ response_format: { type: 'json_object' } });
  expect(JSON.stringify(requests[0]?.body['messages'])).toContain('of this schema');
  expect(answer.text).toBe('{"ok":true}');
});

test('huggingface: ids that begin anew in each reply become ids of their own', () => {
  const entry = (port: string) => ({ id: '0', type: 'function', function: { name: 'tide', arguments: { port } } });
  const raw = { choices: [{ message: { tool_calls: [entry('Rye'), entry('Hull')] }, finish_reason: 'stop' }] };
  const chat = [user('go'), call('0'), output('0')];
  const { calls, stopReason } = (huggingface as WireBackend).fromReply(raw, { chat, tools: [tide] });
  expect(new Set(['0', ...calls.map(({ id }) => id)]).size).toBe(3);
  expect(stopReason).toBe('tool_calls');
});
