import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { type AskOptions, ask, type WireBackend } from '@colophon/backends';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { calling, counter, freshFolder, testContext } from './helpers.js';

const canary = 'sk-canary-7f3a9b1c5d';

const filesBelow = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? filesBelow(path) : [path];
  });

const everythingIn = (folder: string): string =>
  filesBelow(folder)
    .map((path) => `${path}\n${readFileSync(path, 'latin1')}`)
    .join('\n');

const shown = (value: unknown): string =>
  inspect(value, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null });

// A provider that repeats the key wherever it can: in messages, bodies, headers, causes.
const leaky = (fail: (credentials: { key?: string }) => unknown): WireBackend => ({
  name: 'leaky',
  defaultModel: 'm',
  capabilities: { tools: true, images: true, pdf: true, jsonSchema: true, streaming: true, cacheBreakpoints: false },
  toRequest: (chat, tools) => ({ chat, tools: tools.map(({ name }) => name) }),
  client: (credentials) => credentials,
  send: async (_request, client) => {
    throw fail(client);
  },
  fromReply: () => ({ messages: [], calls: [] }),
});

const failures: Record<string, (credentials: { key?: string }) => unknown> = {
  message: ({ key }) => new Error(`Incorrect API key provided: ${key}`),
  status: ({ key }) =>
    Object.assign(new Error(`401 bad key ${key}`), {
      status: 401,
      error: { error: { type: 'auth', message: `no ${key}` } },
    }),
  headers: ({ key }) =>
    Object.assign(new Error('429'), { status: 429, headers: { authorization: `Bearer ${key}`, 'retry-after': '2' } }),
  cause: ({ key }) =>
    new Error('outer', {
      cause: new Error(`inner ${key}`, { cause: { request: { headers: [`x-api-key: ${key}`] } } }),
    }),
  text: ({ key }) => `thrown text ${key}`,
  object: ({ key }) => ({ key, note: [key] }),
};

for (const [name, fail] of Object.entries(failures)) {
  test(`a key in a failure's ${name} does not come out`, async () => {
    const folder = freshFolder();
    const log: string[] = [];
    const context = testContext(folder, { log: (line) => log.push(line), cache: { folder: join(folder, 'cache') } });
    const options: AskOptions = {
      backend: leaky(fail),
      key: canary,
      headers: { 'X-Token': `Bearer ${canary}` },
      context,
      persist: true,
    };
    const error = await ask({ file: './a.chat', question: 'go' }, options).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'request_failed' });
    expect(error.message).toMatch(/leaky/);
    expect(error.cause ?? error.facts.cause).toBeDefined();
    expect(shown(error) + error.stack + log.join() + everythingIn(folder)).not.toContain(canary);
  });
}

test('a key is in no request body, cache entry, chat, answer or log of a run that works', async () => {
  const folder = freshFolder();
  const bodies: unknown[] = [];
  let round = 0;
  const backend: WireBackend = {
    ...leaky(() => new Error()),
    send: async (request) => {
      bodies.push(request);
      return round++;
    },
    fromReply: (raw) =>
      raw === 0
        ? { messages: [], ...calling(['c1', 'look']), calls: calling(['c1', 'look']).calls! }
        : { messages: [{ role: 'assistant', content: 'done' }], calls: [] },
  };
  const log: string[] = [];
  const context = testContext(folder, {
    environment: { LEAKY_API_KEY: canary },
    log: (line) => log.push(line),
    cache: { folder: join(folder, 'cache') },
  });
  const answer = await ask(
    { file: './a.chat', question: 'go' },
    { backend, context, tools: [counter('look').tool], persist: true },
  );
  expect(answer.text).toBe('done');
  expect(filesBelow(join(folder, 'cache'))).toHaveLength(2);
  expect(shown(bodies) + shown(answer) + log.join() + everythingIn(folder)).not.toContain(canary);
});

const server = createServer((request, response) => {
  const seen = String(request.headers.authorization ?? request.headers['x-api-key']);
  response.writeHead(401, { 'content-type': 'application/json', 'x-echo': seen });
  response.end(
    JSON.stringify({
      error: { message: `Incorrect API key provided: ${seen}`, type: 'invalid_request_error', code: 'invalid_api_key' },
    }),
  );
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => server.close());

test.each(['openai', 'responses', 'anthropic', 'ollama'])(
  'a server that echoes the key, asked by %s, does not bring it out',
  async (backend) => {
    const folder = freshFolder();
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const options = { backend, key: canary, url, model: 'm', maxRetries: 0, context: testContext(folder) };
    for (const more of [{}, { onDelta: () => {} }]) {
      const error = await ask({ file: './a.chat', question: 'go' }, { ...options, ...more }).catch((thrown) => thrown);
      expect(error).toMatchObject({ code: 'request_failed', facts: { status: 401, retryable: false } });
      expect(shown(error) + error.stack + everythingIn(folder)).not.toContain(canary);
    }
  },
);
