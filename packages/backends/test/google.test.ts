import { inspect } from 'node:util';
import { ask, backends } from '@colophon/backends';
import { type ScriptedReply, scriptedServer } from '@colophon/backends/testing';
import { expect, test } from 'vitest';
import { freshFolder, testContext } from './helpers.js';
import { asking, call, output, round, system, tide, user } from './wire-helpers.js';

const request = asking(await backends.google());

const overServer = async (script: ScriptedReply[], more: object = {}) => {
  const server = await scriptedServer(script);
  const environment = { GOOGLE_URL: server.urls.google, GEMINI_API_KEY: 'gemini-key-0123456789' };
  const context = testContext(freshFolder(), { environment });
  try {
    return {
      answer: await ask('When?', { backend: 'google', context, maxRetries: 0, ...more }),
      requests: server.requests,
    };
  } finally {
    await server.close();
  }
};

test('system text apart, calls and their responses by name, in the order of the calls', async () => {
  const { contents, config } = await request([system('Be brief.'), ...round], {}, [tide]);
  expect(config.systemInstruction).toEqual({ parts: [{ text: 'Be brief.' }] });
  expect(contents.map(({ role }: { role: string }) => role)).toEqual(['user', 'model', 'user']);
  expect(contents[1].parts[1]).toEqual({ functionCall: { id: 'call_1', name: 'tide', args: { port: 'Rye' } } });
  expect(contents[2].parts).toEqual([
    { functionResponse: { id: 'call_1', name: 'tide', response: { result: 'at six' } } },
    { functionResponse: { id: 'call_2', name: 'tide', response: { high: 9 } } },
  ]);
});

test('a failed call is an error', async () => {
  const { contents } = await request([user('go'), call('c'), output('c', 'no boat', { error: 'timeout' })], {}, [tide]);
  expect(contents.at(-1).parts[0].functionResponse.response).toEqual({ error: 'no boat' });
});

test('parameters in their places', async () => {
  const parameters = {
    max_tokens: 9,
    stop: ['x'],
    top_k: 4,
    reasoning_effort: 'low',
    thinking_budget: 100,
    tool_choice: 'tide',
    extra_body: { labels: { a: 'b' } },
  };
  expect((await request([user('go')], { parameters, websearch: true }, [tide])).config).toMatchObject({
    maxOutputTokens: 9,
    stopSequences: ['x'],
    topK: 4,
    thinkingConfig: { includeThoughts: true, thinkingLevel: 'LOW', thinkingBudget: 100 },
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['tide'] } },
    tools: [{ functionDeclarations: [{ name: 'tide' }] }, { googleSearch: {} }],
    httpOptions: { extraBody: { labels: { a: 'b' } } },
  });
});

test('the key stands in a header, the body holds what was asked', async () => {
  const { answer, requests } = await overServer([{ text: 'At six.', usage: { pt: 10, ct: 30, rt: 20, cct: 4 } }], {
    temperature: 0.5,
    websearch: true,
  });
  expect(answer.tokens).toEqual({ pt: 10, ct: 30, tt: 40, cct: 4, rt: 20 });
  expect(requests[0]?.headers['x-goog-api-key']).toBe('gemini-key-0123456789');
  expect(requests[0]?.path).toBe('/v1beta/models/gemini-2.5-flash:generateContent');
  expect(requests[0]?.body).toEqual({
    contents: [{ role: 'user', parts: [{ text: 'When?' }] }],
    generationConfig: { temperature: 0.5 },
    tools: [{ googleSearch: {} }],
  });
});

test('signatures go back with the calls that they came with', async () => {
  const parts = [{ functionCall: { name: 'tide', args: {} }, thoughtSignature: 'CrAC' }];
  const body = { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] };
  const { requests } = await overServer([{ body }, { text: 'At six.' }], { tools: [tide] });
  expect(requests[1]?.body['contents']).toMatchObject([
    {},
    { parts: [{ thoughtSignature: 'CrAC', functionCall: { name: 'tide' } }] },
    {},
  ]);
});

test("failures have Google's status and code, and no key", async () => {
  const failed = overServer([
    { status: 400, code: 'INVALID_ARGUMENT', message: 'API key not valid: gemini-key-0123456789' },
  ]);
  const error = await failed.catch((failure) => failure);
  expect(error.facts).toMatchObject({ status: 400, providerCode: 'INVALID_ARGUMENT', retryable: false });
  expect(inspect(error, { depth: 12, showHidden: true })).not.toContain('gemini-key');
});

test('without a key it says which', async () => {
  const asked = ask('go', { backend: 'google', context: testContext(freshFolder()) });
  await expect(asked).rejects.toMatchObject({
    code: 'missing_key',
    message: expect.stringContaining('GEMINI_API_KEY'),
  });
});
