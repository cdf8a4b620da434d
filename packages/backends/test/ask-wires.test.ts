import { join } from 'node:path';
import { inspect } from 'node:util';
import { type AskOptions, ask, type Delta } from '@colophon/backends';
import { type ScriptedReply, type ScriptedServer, scriptedServer, type WireName } from '@colophon/backends/testing';
import type { Chat } from '@colophon/chat-format';
import { afterEach, describe, expect, test } from 'vitest';
import { freshFolder, lines, metas, readChat, testContext } from './helpers.js';
import { tide } from './wire-helpers.js';

const names: WireName[] = ['responses', 'openai', 'anthropic', 'ollama'];

let server: ScriptedServer;
afterEach(() => server.close());

const key = 'scripted-key-0123456789';

/** Options that lead a backend to a script. */
const led = async (name: WireName, replies: ScriptedReply[]): Promise<AskOptions> => {
  server = await scriptedServer(replies);
  return {
    backend: name,
    model: 'm',
    url: server.urls[name],
    key,
    maxRetries: 0,
    tools: [tide],
    context: testContext(freshFolder()),
  };
};

/** What was said, without the id to go on from that one of the providers gives. */
const said = (chat: Chat): string[] => lines(chat).filter((line) => !line.startsWith('previous_response_id'));

const sent = (index: number): string => JSON.stringify(server.requests[index]?.body);

describe.each(names)('%s', (name) => {
  test('a model that calls badly is told how, and may go on', async () => {
    const options = await led(name, [
      {
        text: 'I look.',
        calls: [
          { name: 'tyde', arguments: { port: 'Rye' }, id: 'c1' },
          { name: 'tide', arguments: '{"port": ', id: 'c2' },
          { name: 'tide', arguments: { port: 7 }, id: 'c3' },
        ],
      },
      { calls: [{ name: 'tide', arguments: { port: 'Rye' }, id: 'c4' }], usage: { pt: 90, ct: 10, rt: 4 } },
      { text: 'At six.', usage: { pt: 100, ct: 5 } },
    ]);
    const answer = await ask('When is high water?', options);
    expect(answer).toMatchObject({ text: 'At six.', stopReason: 'stop', tokens: { pt: 190, ct: 15 } });
    expect(said(answer.messages)).toMatchObject([
      'assistant I look.',
      'call c1 tyde {"port":"Rye"}',
      'call c2 tide "{\\"port\\": "',
      'call c3 tide {"port":7}',
      expect.stringMatching(/^output c1 not_found .*tyde.*tide/),
      expect.stringMatching(/^output c2 invalid_arguments .*JSON/),
      expect.stringMatching(/^output c3 invalid_arguments .*port/),
      'call c4 tide {"port":"Rye"}',
      'output c4 ok at six',
      'assistant At six.',
    ]);
    expect(sent(1)).toMatch(/tyde/);
    expect(server.requests).toHaveLength(3);
  });

  test('what is streamed is what is answered, and recorded', async () => {
    const deltas: Delta[] = [];
    const options = await led(name, [
      { text: 'I look.', calls: [{ name: 'tide', arguments: { port: 'Rye' }, id: 'c1' }] },
      { text: 'At six — 🐚.' },
    ]);
    const file = join(freshFolder(), 'a.chat');
    const answer = await ask({ file, question: 'go' }, { ...options, onDelta: (delta) => deltas.push(delta) });
    expect(deltas.map(({ text }) => text).join('')).toBe('I look.At six — 🐚.');
    expect(deltas.length).toBeGreaterThan(2);
    expect(said(readChat(file))).toEqual([
      'user go',
      'assistant I look.',
      'call c1 tide {"port":"Rye"}',
      'output c1 ok at six',
      'assistant At six — 🐚.',
    ]);
    expect(answer.text).toBe('At six — 🐚.');
  });

  test('a refused key stands nowhere in the error, nor in what was sent', async () => {
    const options = await led(name, [{ status: 401, code: 'authentication_error', message: `wrong key ${key}` }]);
    const error = await ask('go', options).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({
      code: 'request_failed',
      facts: { status: 401, retryable: false, chat: [{ role: 'user', content: 'go' }] },
    });
    expect(inspect(error, { depth: 12, showHidden: true })).not.toContain(key);
    expect(sent(0)).not.toContain(key);
  });

  test.each<[string, ScriptedReply, object, RegExp]>([
    [
      'a limit',
      { status: 429, code: 'rate_limit_error', message: 'Slow down', headers: { 'retry-after': '7' } },
      { status: 429, retryable: true, retryAfter: 7 },
      /429.*Slow down.*wait 7 s/,
    ],
    [
      'an empty account',
      { status: 429, code: 'insufficient_quota', message: 'No credit' },
      { status: 429, retryable: name === 'ollama' },
      /No credit/,
    ],
    [
      'a model that is not there',
      { status: 404, code: 'not_found_error', message: 'no model m' },
      { status: 404, retryable: false },
      /no model m.*Check the model and the address/,
    ],
    [
      'a server that is overloaded',
      { status: 529, code: 'overloaded_error', message: 'Overloaded' },
      { status: 529, retryable: true },
      /529/,
    ],
    [
      'a connection that is lost',
      { text: 'x', fault: 'drop' },
      { providerCode: 'connection', retryable: true },
      /closed the connection.*Try again/,
    ],
    [
      'an answer that does not come',
      { text: 'x', fault: 'hang' },
      { providerCode: 'timeout', retryable: true },
      /no answer in time/,
    ],
    [
      'an answer that stops coming',
      { text: 'one two three', fault: 'stall' },
      { providerCode: 'timeout', retryable: true },
      /no answer in time/,
    ],
    [
      'a stream that breaks off',
      { text: 'one two three', fault: 'cut' },
      { providerCode: 'cut', retryable: true },
      /broke off/,
    ],
    [
      'a stream that is no JSON',
      { text: 'one two three', fault: 'malformed' },
      { providerCode: 'malformed', retryable: true },
      /no JSON/,
    ],
    ['something that is no reply', { body: { hello: 'world' }, events: [] }, { retryable: true }, /no reply|broke off/],
  ])('%s is told: %#', async (_, reply, facts, message) => {
    const options = await led(name, [reply]);
    const error = await ask('go', { ...options, timeout: 1500, onDelta: () => {} }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({
      code: 'request_failed',
      facts: { backend: name, ...facts },
      message: expect.stringMatching(message),
    });
  });

  test.each([
    ['length', 'So far'],
    ['refusal', 'No.'],
    ['content_filter', ''],
  ] as const)('the end %s is told in the result and in the meta', async (stopReason, text) => {
    if (name === 'ollama' && stopReason !== 'length') return void (await led(name, []));
    const options = await led(name, [{ text, stopReason, usage: { pt: 3, ct: 1 } }]);
    const answer = await ask('go', options);
    const told = name === 'anthropic' && stopReason === 'content_filter' ? 'refusal' : stopReason;
    expect(answer).toMatchObject({ stopReason: told, text });
    expect(metas(answer.messages)[0]).toMatchObject({ stop_reason: told, pt: 3 });
  });
});

test('Anthropic gets its thinking back in the loop, and none after a restart', async () => {
  const options = await led('anthropic', [
    { reasoning: 'Rye.', signature: 'sig-1', calls: [{ name: 'tide', arguments: { port: 'Rye' }, id: 'toolu_1' }] },
    { text: 'At six.' },
    { text: 'At seven.' },
  ]);
  const thinking = { ...options, model: 'claude-sonnet-4-5', thinking: { type: 'enabled', budget_tokens: 2048 } };
  const file = join(freshFolder(), 'a.chat');
  await ask({ file, question: 'Rye?' }, thinking);
  expect(sent(1)).toContain('sig-1');
  expect(server.requests[1]?.body['thinking']).toEqual({ type: 'enabled', budget_tokens: 2048 });
  expect(metas(readChat(file))[0]).toMatchObject({ reas: 'Rye.' });
  await ask({ file, question: 'And Hull?' }, thinking);
  expect(sent(2)).not.toContain('sig-1');
  expect(server.requests[2]?.body['thinking']).toEqual({ type: 'enabled', budget_tokens: 2048 });
});
