import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { ask, backends, checkEndpoint, type WireBackend } from '@colophon/backends';
import { type RelayOptions, serveRelay } from '@colophon/backends/node';
import { runConformance, type ScriptedReply, type StartStage, scriptedServer } from '@colophon/backends/testing';
import { afterEach, describe, expect, test } from 'vitest';
import { freshFolder, testContext } from './helpers.js';
import { tide } from './wire-helpers.js';

const token = 'relay-token-0123456789';
const providerKey = 'provider-key-0123456789';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** A provider that plays the script, and a relay in front of it that has its key. */
const begin = async (script: readonly ScriptedReply[], more: Partial<RelayOptions> = {}) => {
  const provider = await scriptedServer(script);
  const root = freshFolder();
  mkdirSync(join(root, 'etc', 'AI'), { recursive: true });
  // JSON is YAML.
  const endpoint = { backend: 'responses', url: provider.urls.responses, key: providerKey, max_retries: 0 };
  writeFileSync(join(root, 'etc', 'AI', 'far.yaml'), JSON.stringify(endpoint));
  const environment = {
    OLLAMA_HOST: provider.urls.ollama,
    ANTHROPIC_URL: provider.urls.anthropic,
    ANTHROPIC_API_KEY: providerKey,
  };
  const context = testContext(root, { environment, roots: [{ path: root, trusted: true }] });
  const said: string[] = [];
  const relay = await serveRelay({ token, context, port: 0, endpoint: 'far', log: (line) => said.push(line), ...more });
  const stop = async () => {
    await relay.close();
    await provider.close();
  };
  return { provider, relay, said, stop };
};

const started = async (...given: Parameters<typeof begin>) => {
  const all = await begin(...given);
  closing.push(all.stop);
  return all;
};

const here = (url: string, key = token) =>
  testContext(freshFolder(), { environment: { COLOPHON_RELAY_URL: url, COLOPHON_RELAY_TOKEN: key } });

describe('the backend', async () => {
  const backend = (await backends.relay({ files: testContext(freshFolder()).files })) as WireBackend;
  const start: StartStage = async (replies, { timeout }) => {
    const { provider, relay, stop } = await begin(replies);
    return {
      client: await backend.client?.({ key: token, url: relay.url, maxRetries: 0, timeout }),
      secrets: [token, providerKey],
      requests: () => [],
      stop,
      provider,
    };
  };
  runConformance(backend, { test, start, stopReasons: ['stop', 'length', 'refusal', 'content_filter'] });
});

test('the provider gets the request with the key of the other machine, and tools run here', async () => {
  const { provider, relay, said } = await started([
    { calls: [{ name: 'tide', arguments: { port: 'Rye' } }], usage: { pt: 9, ct: 3 } },
    { text: 'At six.', usage: { pt: 20, ct: 4 } },
  ]);
  const { text, tokens } = await ask('When?', { backend: 'relay', tools: [tide], context: here(relay.url) });
  expect([text, tokens.tt]).toEqual(['At six.', 36]);
  expect(provider.requests.map(({ headers }) => headers['authorization'])).toEqual([
    `Bearer ${providerKey}`,
    `Bearer ${providerKey}`,
  ]);
  expect(JSON.stringify(provider.requests[1]?.body)).toContain('at six');
  expect(provider.requests[0]?.body['model']).toBe('gpt-5-nano');
  expect(said).toEqual([
    expect.stringMatching(/^responses answered \d+ ms$/),
    expect.stringMatching(/^responses answered/),
  ]);
});

test.each(['anthropic', 'ollama'])('the requests of %s', async (provider) => {
  const { relay } = await started([{ text: 'At six.' }]);
  const context = here(relay.url);
  expect((await ask('When?', { backend: 'relay', provider, model: 'm', context })).text).toBe('At six.');
  const unknown = ask('When?', { backend: 'relay', provider, modle: 'm', context });
  await expect(unknown).rejects.toMatchObject({ code: 'unknown_option' });
});

test('without the token nothing is asked, and none is told', async () => {
  const { provider, relay } = await started([{ text: 'secret' }]);
  const wrong = ask('When?', { backend: 'relay', context: here(relay.url, 'another-token-0123456789') });
  const error = await wrong.catch((failure) => failure);
  expect(error.facts).toMatchObject({ status: 401, retryable: false });
  expect(inspect(error, { depth: 12 })).not.toMatch(/another-token|relay-token/);
  const none = ask('When?', { backend: 'relay', context: testContext(freshFolder()) });
  await expect(none).rejects.toMatchObject({
    code: 'missing_key',
    message: expect.stringContaining('COLOPHON_RELAY_TOKEN'),
  });
  expect(provider.requests).toHaveLength(0);
  const context = testContext(freshFolder());
  await expect(serveRelay({ token: 'short', context })).rejects.toThrow('16 characters');
});

test('no bad request ends the relay', async () => {
  const { provider, relay } = await started([{ text: 'At six.' }], { maxBytes: 1000 });
  const post = async (body: string, more: object = {}) => {
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${relay.url}/ask`, { method: 'POST', headers, body, ...more });
    return [response.status, await response.text()];
  };
  expect(await post('{')).toEqual([400, expect.stringContaining('no JSON')]);
  expect(await post('x'.repeat(5000))).toEqual([413, expect.stringContaining('1000')]);
  const refused = [
    'null',
    '[]',
    '{"backend":"constructor","request":{}}',
    '{"backend":"./evil.mjs","request":{}}',
    '{"backend":"replay","request":{}}',
    '{"backend":"relay","request":{}}',
    '{"backend":"ai-sdk","request":{"provider":"evil","model":"m","call":{}}}',
    '{"backend":"responses","request":"text"}',
  ];
  for (const body of refused) expect(await post(body), body).toEqual([200, expect.stringContaining('bad_input')]);
  expect((await post('{"backend":"bedrock","request":{"messages":7}}'))[1]).toContain('missing_key');
  const leaving = new AbortController();
  const left = post('{"backend":"responses","request":{}}', { signal: leaving.signal }).catch(() => 'left');
  leaving.abort();
  await left;
  expect((await fetch(relay.url, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200);
  expect((await ask('When?', { backend: 'relay', context: here(relay.url) })).text).toBe('At six.');
  expect(provider.requests.length).toBeLessThanOrEqual(2);
});

test('the allowed backends, the time of a request, and how many at once', async () => {
  const { relay } = await started([{ text: 'never', fault: 'hang' }], {
    allow: ['responses'],
    timeout: 150,
    concurrency: 1,
  });
  const context = here(relay.url);
  await expect(ask('go', { backend: 'relay', provider: 'ollama', model: 'm', context })).rejects.toThrow(
    'one of the backends responses',
  );
  const slow = ask('go', { backend: 'relay', maxRetries: 0, context }).catch((error) => error);
  await new Promise((resolve) => setTimeout(resolve, 60));
  const second = await ask('go', { backend: 'relay', maxRetries: 0, context }).catch((error) => error);
  expect(second.facts).toMatchObject({ status: 429, retryable: true });
  expect((await slow).facts).toMatchObject({ status: 504, retryable: true });
});

test('who leaves ends the call to the provider', async () => {
  const { relay, said } = await started([{ text: 'never', fault: 'hang' }]);
  const controller = new AbortController();
  const asked = ask('go', { backend: 'relay', context: here(relay.url), signal: controller.signal });
  setTimeout(() => controller.abort(), 100);
  await expect(asked.then(({ stopReason }) => stopReason)).resolves.toBe('aborted');
  await expect.poll(() => said).toEqual([expect.stringContaining('responses failed (aborted)')]);
});

test('an endpoint that is a relay says whether it answers', async () => {
  const { relay } = await started([]);
  const root = freshFolder();
  mkdirSync(join(root, 'etc', 'AI'), { recursive: true });
  writeFileSync(
    join(root, 'etc', 'AI', 'work.yaml'),
    `backend: relay\nurl: ${relay.url}\nkey: ${token}\nprovider: anthropic\n`,
  );
  const context = testContext(root, { roots: [{ path: root, trusted: true }] });
  expect(await checkEndpoint('work', context)).toMatchObject({ answers: true, keyAccepted: true });
});
