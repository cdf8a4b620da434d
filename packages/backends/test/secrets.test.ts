import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import {
  type AskOptions,
  ask,
  checkEndpoint,
  listCache,
  listEndpoints,
  previewRequest,
  type WireBackend,
} from '@colophon/backends';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

// Every way in which a person may give a key, right or wrong, in an endpoint's file; `HIDDEN` is the environment's.
const ways: Record<string, (key: string, url: string) => string> = {
  key: (key) => `key: ${JSON.stringify(key)}`,
  'a list as key': (key) => `key: [${JSON.stringify(key)}]`,
  'a map as key': (key) => `key: {a: ${JSON.stringify(key)}}`,
  key_env: () => 'key_env: HIDDEN',
  'a key in key_env': (key) => `key_env: ${JSON.stringify(key)}`,
  key_command: () => 'key_command: print it',
  'a list as key_command': (key) => `key_command: [echo, ${JSON.stringify(key)}]`,
  headers: (key) => `headers: {Authorization: ${JSON.stringify(`Bearer ${key}`)}, X-Team: 5}`,
  'a text as headers': (key) => `headers: ${JSON.stringify(`Authorization: ${key}`)}`,
  'a list as headers': (key) => `headers: [${JSON.stringify(key)}]`,
  'headers with a map': (key) => `headers: {X: {y: ${JSON.stringify(key)}}}`,
  'a header with a line end': (key) => `headers: {X: ${JSON.stringify(`${key}\nY: z`)}}`,
  'a password in the address': (key, url) =>
    `url: ${JSON.stringify(url.replace('//', `//me:${encodeURIComponent(key)}@`))}`,
  'a password as it is in the address': (key, url) => `url: ${JSON.stringify(url.replace('//', `//me:${key}@`))}`,
  'a token in the address': (key, url) => `url: ${JSON.stringify(url.replace('//', `//${encodeURIComponent(key)}@`))}`,
  'an address without scheme': (key, url) =>
    `url: ${JSON.stringify(url.replace('http://', `me:${encodeURIComponent(key)}@`))}`,
  'an address with a query': (key, url) => `url: ${JSON.stringify(`${url}?api_key=${encodeURIComponent(key)}`)}`,
  'a list as address': (key, url) => `url: [${JSON.stringify(url.replace('//', `//me:${encodeURIComponent(key)}@`))}]`,
  'an address that is none': (key) => `url: ${JSON.stringify(`http://me:${encodeURIComponent(key)}@:99999/`)}`,
  'YAML that is broken': (key) => `key: ${JSON.stringify(key)}\n  x: [`,
  'another name': (key) => `api_key: ${JSON.stringify(key)}`,
};

const formsOf = (key: string): string[] => [
  key,
  encodeURIComponent(key),
  JSON.stringify(key).slice(1, -1),
  inspect(key).slice(1, -1),
  Buffer.from(`me:${key}`).toString('base64'),
];

describe.each(['sk-canary-7f3a9b1c5d', `pa'ss"w\\rd-x1`, 'p@ss/w0rd#x?y', 'pässwörd-✓-long'])(
  'a key like %s',
  (key) => {
    test.each(Object.keys(ways))('given as %s comes out nowhere', async (way) => {
      for (const backend of ['openai', 'anthropic', 'ollama']) {
        const folder = freshFolder();
        const below = join(folder, 'own/etc/AI');
        mkdirSync(below, { recursive: true });
        const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
        const line = ways[way]!(key, url);
        const address = line.startsWith('url') ? '' : `url: ${url}\n`;
        writeFileSync(join(below, 'e.yaml'), `backend: ${backend}\nmodel: m\n${address}${line}`);
        const log: string[] = [];
        const context = testContext(folder, {
          roots: [{ path: join(folder, 'own'), trusted: true }],
          environment: { HIDDEN: key },
          runCommand: async () => key,
          cache: { folder: join(folder, 'cache') },
          log: (text) => log.push(text),
        });
        const of = (found: Promise<unknown>) => found.catch((error) => [error, error.stack, error.cause?.stack]);
        const options = { endpoint: 'e', maxRetries: 0, persist: true, context };
        const results = [
          await of(ask({ file: './a.chat', question: 'go' }, options)),
          await of(ask({ file: './b.chat', question: 'go' }, { ...options, onDelta: () => {} })),
          await of(previewRequest('go', options)),
          await of(listEndpoints(context)),
          await of(checkEndpoint('e', context)),
          await of(listCache(context.cache!)),
        ];
        writeFileSync(join(below, 'e.yaml'), '');
        const everything = `${shown(results)}${JSON.stringify(results)}${log.join()}${everythingIn(folder)}`;
        for (const form of formsOf(key)) expect(everything).not.toContain(form);
      }
    });
  },
);
