import { fileURLToPath } from 'node:url';
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { aiSdk, ask, backends, type WireBackend } from '@colophon/backends';
import { type ScriptedReply, scriptedServer } from '@colophon/backends/testing';
import { describe, expect, test } from 'vitest';
import { freshFolder, testContext } from './helpers.js';
import { asking, round, system, tide, user } from './wire-helpers.js';

const usage = {
  inputTokens: { total: 10, noCache: 6, cacheRead: 4, cacheWrite: undefined },
  outputTokens: { total: 7, text: 4, reasoning: 3 },
};
const finishReason = { unified: 'stop' as const, raw: 'stop' };

/** A model that answers by a script, and keeps what it was called with. */
const scriptedModel = (contents: object[][], parts: LanguageModelV3StreamPart[] = []) => {
  const calls: LanguageModelV3CallOptions[] = [];
  const model: LanguageModelV3 = {
    specificationVersion: 'v3',
    provider: 'scripted',
    modelId: 'scripted-1',
    supportedUrls: {},
    doGenerate: async (options) => {
      calls.push(options);
      return {
        content: (contents[calls.length - 1] ?? []) as never,
        finishReason,
        usage,
        warnings: [],
        response: { id: 'r', modelId: 'm' },
      };
    },
    doStream: async (options) => {
      calls.push(options);
      return {
        stream: new ReadableStream({
          start: (to) => {
            for (const part of parts) to.enqueue(part);
            to.close();
          },
        }),
      };
    },
  };
  return { model, calls };
};

describe('a model that is handed in', () => {
  test('is asked with the chat, tools and parameters; its counts are taken over', async () => {
    const { model, calls } = scriptedModel([[{ type: 'text', text: 'At six.' }]]);
    const { text, tokens, messages } = await ask('When?', {
      backend: aiSdk(model),
      tools: [tide],
      max_tokens: 9,
      stop: 'x',
    });
    expect([text, tokens]).toEqual(['At six.', { pt: 10, ct: 7, tt: 17, cct: 4, rt: 3 }]);
    expect(messages[0]?.content).toContain('model=m');
    expect(calls[0]).toMatchObject({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'When?' }] }],
      maxOutputTokens: 9,
      stopSequences: ['x'],
      tools: [{ type: 'function', name: 'tide', inputSchema: { required: ['port'] } }],
    });
  });

  test('signed reasoning goes back with the call that it led to', async () => {
    const signed = { anthropic: { signature: 'EqQB' } };
    const { model, calls } = scriptedModel([
      [
        { type: 'reasoning', text: 'Rye.', providerMetadata: signed },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'tide', input: '{"port":"Rye"}' },
      ],
      [{ type: 'text', text: 'At six.' }],
    ]);
    await ask('When?', { backend: aiSdk(model), tools: [tide] });
    expect(calls[1]?.prompt.slice(1)).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Rye.', providerOptions: signed },
          { type: 'tool-call', toolCallId: 'c1', toolName: 'tide', input: { port: 'Rye' } },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'c1', toolName: 'tide', output: { type: 'text', value: 'at six' } },
        ],
      },
    ]);
  });

  test('a stream: its pieces, its end, and an end that never came', async () => {
    const text = (delta: string): LanguageModelV3StreamPart => ({ type: 'text-delta', id: '0', delta });
    const start: LanguageModelV3StreamPart[] = [
      { type: 'stream-start', warnings: [] },
      { type: 'text-start', id: '0' },
      text('At '),
      text('six.'),
    ];
    const whole: LanguageModelV3StreamPart[] = [
      ...start,
      { type: 'text-end', id: '0' },
      { type: 'finish', finishReason, usage },
    ];
    const pieces: string[] = [];
    const onDelta = (delta: { text: string }) => pieces.push(delta.text);
    expect((await ask('When?', { backend: aiSdk(scriptedModel([], whole).model), onDelta })).text).toBe('At six.');
    expect(pieces).toEqual(['At ', 'six.']);
    const cut = ask('When?', { backend: aiSdk(scriptedModel([], start).model), onDelta });
    await expect(cut).rejects.toMatchObject({ facts: { providerCode: 'cut', retryable: true } });
  });

  test('system text, attachments by address', async () => {
    const request = asking(aiSdk(scriptedModel([]).model));
    const { call } = await request([
      system('Be brief.'),
      { role: 'image', content: 'https://a.example/x.png' },
      ...round,
    ]);
    expect(call.prompt[0]).toEqual({ role: 'system', content: 'Be brief.' });
    expect(JSON.stringify(call)).toContain('"url":"https://a.example/x.png"');
  });
});

describe('a package by name', () => {
  const workingDirectory = fileURLToPath(new URL('..', import.meta.url));
  const overServer = async (script: ScriptedReply[], more: object = {}, context: object = {}) => {
    const server = await scriptedServer(script);
    const environment = { AI_SDK_URL: server.urls.openai, AI_SDK_API_KEY: 'ai-sdk-key-0123456789' };
    const machine = { ...testContext(freshFolder(), { environment }), workingDirectory, ...context };
    try {
      const options = {
        backend: 'ai-sdk',
        provider: '@ai-sdk/openai-compatible',
        model: 'any-1',
        context: machine,
        ...more,
      };
      return { answer: await ask('When?', options), requests: server.requests };
    } finally {
      await server.close();
    }
  };

  test('gets key and address of the endpoint', async () => {
    const { answer, requests } = await overServer([{ text: 'At six.', usage: { pt: 3, ct: 2 } }]);
    expect([answer.text, answer.tokens]).toMatchObject(['At six.', { pt: 3, ct: 2 }]);
    expect(requests[0]?.headers['authorization']).toBe('Bearer ai-sdk-key-0123456789');
    expect(requests[0]?.body['model']).toBe('any-1');
  });

  test('passing failures are tried again, others told without the key', async () => {
    const down = { status: 503, headers: { 'retry-after-ms': '1' } };
    expect((await overServer([down, { text: 'At six.' }])).requests).toHaveLength(2);
    const refused = await overServer([{ status: 401, message: 'no: ai-sdk-key-0123456789' }]).catch((error) => error);
    expect(refused.facts).toMatchObject({ status: 401, retryable: false });
    expect(refused.message).not.toContain('ai-sdk-key');
  });

  test('that is not named, not installed, no provider, or not allowed, is told', async () => {
    await expect(overServer([], { provider: undefined })).rejects.toMatchObject({ code: 'bad_option' });
    await expect(overServer([], { provider: '@ai-sdk/none-such' })).rejects.toMatchObject({
      code: 'missing_sdk',
      message: expect.stringContaining('npm install @ai-sdk/none-such'),
    });
    await expect(overServer([], { provider: 'zod' })).rejects.toMatchObject({ code: 'backend_not_loaded' });
    await expect(overServer([], {}, { policy: 'read' })).rejects.toMatchObject({ code: 'backend_code_refused' });
  });
});

test('what a model of the first version of the interface would say is no reply', async () => {
  const backend = (await backends['ai-sdk']({ files: testContext(freshFolder()).files })) as WireBackend;
  expect(() => backend.fromReply({ text: 'hello' })).toThrow('no reply');
  expect(await asking(backend)([user('go')], { parameters: { provider: 'p' } })).toMatchObject({
    provider: 'p',
    model: 'm-1',
  });
});
