import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runCalls } from '@colophon/tools';
import { createMcpClients, type HttpPlace, type ServeOptions, serveMcp } from '@colophon/tools/mcp';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ErrorCode, ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { anyTool, envelope, now } from '../run.js';
import { servedTools } from './served-tools.js';
import { left, marker, openClients } from './servers.js';

const folder = mkdtempSync(join(tmpdir(), 'mcp-serving-'));
afterAll(() => rmSync(folder, { recursive: true }));

const serveFile = fileURLToPath(new URL('serve-tools.ts', import.meta.url));
const serveCommand = (note: string) => [process.execPath, '--import', 'tsx', '-C', 'colophon-source', serveFile, note];

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

const connect = async (transport: Transport): Promise<Client> => {
  const client = new Client({ name: 'real', version: '1' });
  await client.connect(transport);
  ends.push(() => client.close());
  return client;
};

const serveHttp = async (
  place: Partial<HttpPlace> = {},
  options: Partial<ServeOptions> = {},
  tools = servedTools(),
) => {
  const serving = await serveMcp(tools, {
    name: 'fruit',
    version: '1.2.3',
    now,
    transport: { kind: 'http', port: 0, randomId: randomUUID, ...place },
    toolContext: { user: 'Ada' },
    ...options,
  });
  ends.push(serving.close);
  return { ...serving, url: new URL(serving.address!) };
};

const connectHttp = (url: URL, headers: Record<string, string> = {}) =>
  connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }) as Transport);

const texts = (result: Awaited<ReturnType<Client['callTool']>>) => [
  (result.content as { text: string }[]).map(({ text }) => text).join(),
  result.isError ?? false,
];

describe.each([
  [
    'stdio, in a process of its own',
    async (note: string) => {
      const [command, ...args] = serveCommand(note);
      return connect(new StdioClientTransport({ command: command!, args, stderr: 'pipe' }));
    },
  ],
  ['HTTP', async (note: string) => connectHttp((await serveHttp({}, {}, servedTools(note))).url)],
])('served by %s, the official client', (kind, open) => {
  const noteOf = (name: string) => join(folder, `${kind.slice(0, 4)}-${name}.txt`);

  test('sees the tools as they are, without fixed inputs, with annotations', async () => {
    const client = await open('');
    expect(client.getServerVersion()).toMatchObject({ name: 'fruit', version: '1.2.3' });
    const { tools } = await client.listTools();
    expect(tools[0]).toEqual({
      name: 'weigh',
      description: 'Weighs a fruit — in grams.',
      inputSchema: { type: 'object', properties: { fruit: { enum: ['plum', 'pear'] } }, required: ['fruit'] },
      annotations: { readOnlyHint: true, idempotentHint: true },
    });
    expect(tools.map(({ annotations }) => annotations).slice(1, 3)).toEqual([undefined, { destructiveHint: true }]);
  });

  test('gets results, and errors as results that say what is wrong and nothing of our code', async () => {
    const client = await open('');
    const call = async (name: string, sent: unknown) =>
      texts(await client.callTool({ name, arguments: sent as Record<string, unknown> }));
    expect(await call('weigh', { fruit: 'plum' })).toEqual([
      '{"fruit":"plum","scale":"hidden-scale","grams":38}',
      false,
    ]);
    expect(await call('echo', { value: 'ünï 😀' })).toEqual(['ünï 😀', false]);
    expect(await call('echo', {})).toEqual(['success', false]);
    expect(await call('who', undefined)).toEqual(['Ada string', false]);
    expect(await call('weigh', { fruit: 'sofa' })).toEqual([
      'The arguments do not fit.\nfruit: expected one of ["plum","pear"], received string "sofa"',
      true,
    ]);
    expect(await call('echo', 'plum')).toEqual([expect.stringContaining('The arguments are not JSON'), true]);
    expect(await call('echo', ['plum'])).toEqual([expect.stringContaining('received an array'), true]);
    expect(await call('echo', '{"value":"plum"}')).toEqual(['plum', false]);
    expect(await call('remove', {})).toEqual(['the cellar is locked', true]);
    expect(await call('fly', {})).toEqual([expect.stringContaining('There is no tool named `fly`'), true]);
    expect(await call('exit', {})).toEqual(['{"exception":"it broke","exit_status":4}', true]);
  });

  test('is told progress, which rises', async () => {
    const client = await open('');
    const progress: unknown[] = [];
    const onprogress = (told: unknown) => progress.push(told);
    expect(texts(await client.callTool({ name: 'steps' }, undefined, { onprogress }))).toEqual(['stepped', false]);
    expect(progress).toEqual([
      { message: 'one', progress: 1, total: 4 },
      { message: 'two', progress: 2 },
      { message: 'four', progress: 4, total: 4 },
    ]);
  });

  test('is told what there is not', async () => {
    const client = await open('');
    const request = client.request({ method: 'resources/list' }, ResultSchema).catch((error) => error);
    expect(await request).toMatchObject({ code: ErrorCode.MethodNotFound });
  });

  test('calls many at a time, and cancels one', async () => {
    const note = noteOf('cancelled');
    const client = await open(note);
    const controller = new AbortController();
    const slow = client
      .callTool({ name: 'slow', arguments: { value: 'first' } }, undefined, { signal: controller.signal })
      .catch((error) => error);
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, value) => client.callTool({ name: 'echo', arguments: { value } })),
    );
    expect(results.map((result) => texts(result)[0])).toEqual(Array.from({ length: 20 }, (_, value) => String(value)));
    controller.abort();
    expect(String(await slow)).toContain('AbortError');
    await client.ping();
    expect(readFileSync(note, 'utf8')).toBe('aborted first\n');
  });
});

describe('over stdio', () => {
  test('what tools print does not get among the protocol; our own client sees it as errors of the server', async () => {
    const word = marker();
    const clients = openClients();
    const list = await clients.tools({ kind: 'stdio', command: serveCommand(join(folder, word)) });
    const chatty = list.find(({ name }) => name === 'chatty')!;
    const context = { signal: new AbortController().signal, callId: '1', onProgress: () => {} };
    expect(await chatty.run({}, context)).toBe('said');
    expect(clients.warnings).toEqual([]);
    await clients.close();
    expect(left(word)).toEqual([]);
    // Standard output is the program's own again, and nobody reads it any more.
    expect(clients.errorLines).toEqual(['this is no protocol', '{"nor":"this"}']);
  });

  test('the end of its client aborts what runs, and the program ends', async () => {
    const word = marker();
    const note = join(folder, word);
    const clients = openClients();
    const list = await clients.tools({ kind: 'stdio', command: serveCommand(note) });
    const context = { signal: new AbortController().signal, callId: '1', onProgress: () => {} };
    const slow = list.find(({ name }) => name === 'slow')!;
    const running = Promise.resolve(slow.run({ value: 'last' }, context)).catch((error) => error);
    await wait(100);
    await clients.close();
    expect(String(await running)).toContain('failed');
    expect(readFileSync(note, 'utf8')).toBe('aborted last\n');
    expect(left(word)).toEqual([]);
  });
});

type Raw = { status: number | undefined; body: string; headers: Record<string, unknown> };

const send = (
  url: URL,
  { method = 'POST', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string },
): Promise<Raw> =>
  new Promise((resolve, reject) => {
    const accept = 'application/json, text/event-stream';
    const sent = request(url, { method, headers: { accept, 'content-type': 'application/json', ...headers } });
    sent.on('error', reject);
    sent.on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
        // A stream goes on; its head is enough.
        if (response.headers['content-type']?.includes('event-stream')) response.destroy();
      });
      response.on('close', () => resolve({ status: response.statusCode, body: text, headers: response.headers }));
    });
    sent.end(body);
  });

const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
});

describe('over HTTP', () => {
  test('it is at 127.0.0.1, and ends cleanly with its sessions', async () => {
    const serving = await serveHttp();
    expect(serving.url.hostname).toBe('127.0.0.1');
    const client = await connectHttp(serving.url);
    const slow = client.callTool({ name: 'slow' }).catch((error) => error);
    await wait(50);
    await serving.close();
    await serving.ended;
    await expect(send(serving.url, { body: initialize })).rejects.toThrow('ECONNREFUSED');
    await client.close();
    await slow;
  });

  test('a signal ends it, before and after', async () => {
    const controller = new AbortController();
    const serving = await serveHttp({}, { signal: controller.signal });
    controller.abort();
    await serving.ended;
    await expect(serveHttp({}, { signal: controller.signal })).rejects.toThrow();
  });

  test.each([
    ['a page of another host', { origin: 'https://evil.example' }, 403],
    ['a page without a host', { origin: 'null' }, 403],
    ['a name that was bound to this address', { host: 'evil.example:4100' }, 403],
    ['a page of this host', { origin: 'http://localhost:3000' }, 200],
    ['the name localhost', { host: 'localhost' }, 200],
    ['a name that is allowed', { host: 'fruit.example:80', origin: 'https://fruit.example' }, 200],
    ['an address of this machine', { host: '192.168.7.7:4100' }, 200],
    ['a page at another address', { origin: 'http://192.168.7.7' }, 403],
  ])('a request by %s', async (_, headers, status) => {
    const { url } = await serveHttp({ allowedHosts: ['fruit.example'] });
    expect((await send(url, { headers, body: initialize })).status).toBe(status);
  });

  test('with a key, nobody else gets in', async () => {
    const { url } = await serveHttp({ bearer: 'tulip-key-123' });
    for (const headers of [{}, { authorization: 'Bearer tulip-key-124' }, { authorization: 'tulip-key-123' }]) {
      const { status, body, headers: got } = await send(url, { headers, body: initialize });
      expect(status).toBe(401);
      expect(got['www-authenticate']).toBe('Bearer');
      expect(body).not.toContain('tulip');
    }
    const client = await connectHttp(url, { Authorization: 'Bearer tulip-key-123' });
    expect((await client.listTools()).tools).toHaveLength(8);
  });

  test('other machines are let in with a key only', async () => {
    await expect(serveHttp({ host: '0.0.0.0' })).rejects.toMatchObject({ code: 'bad_mcp_place' });
    const { url } = await serveHttp({ host: '0.0.0.0', bearer: 'tulip-key-123' });
    url.hostname = '127.0.0.1';
    expect((await send(url, { headers: { authorization: 'Bearer tulip-key-123' }, body: initialize })).status).toBe(
      200,
    );
  });

  test('a port in use is an error that says so', async () => {
    const { url } = await serveHttp();
    await expect(serveHttp({ port: Number(url.port) })).rejects.toMatchObject({
      code: 'bad_mcp_place',
      message: expect.stringContaining('another program uses this port'),
    });
    await expect(serveHttp({ port: 70_000 })).rejects.toMatchObject({ code: 'bad_mcp_place' });
  });

  test.each([
    ['another path', '/other', {}, 404],
    ['no session', '/mcp', { method: 'GET' }, 405],
    ['an unknown session', '/mcp', { headers: { 'mcp-session-id': 'guess' }, body: '{}' }, 404],
    ['no JSON', '/mcp', { body: '{' }, 400],
    ['a request that begins no session', '/mcp', { body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' }, 400],
    ['more than the limit', '/mcp', { body: `"${'x'.repeat(5_000)}"` }, 413],
  ])('a request with %s is refused', async (_, path, sent, status) => {
    const { url } = await serveHttp({ maxBodyBytes: 4_000 });
    expect((await send(new URL(path, url), sent)).status).toBe(status);
    const client = await connectHttp(url);
    expect((await client.listTools()).tools).toHaveLength(8);
  });

  test('sessions are few and do not stay for ever', async () => {
    const { url } = await serveHttp({ maxSessions: 1, sessionIdle: 50 });
    expect((await send(url, { body: initialize })).status).toBe(200);
    expect((await send(url, { body: initialize })).status).toBe(503);
    let status: number | undefined;
    for (let waited = 0; status !== 200 && waited < 5_000; waited += 50) {
      await wait(50);
      status = (await send(url, { body: initialize })).status;
    }
    expect(status).toBe(200);
  });

  test('a client that is there keeps its session, however long it says nothing', async () => {
    const { url } = await serveHttp({ sessionIdle: 1_000 });
    const client = await connectHttp(url);
    await wait(1_500);
    expect((await client.listTools()).tools).toHaveLength(8);
  });

  test('sessions do not see one another', async () => {
    const { url } = await serveHttp({}, {}, [anyTool('echo', ({ value }) => value)]);
    const clients = await Promise.all([1, 2, 3].map(() => connectHttp(url)));
    const results = await Promise.all(
      clients.map((client, value) => client.callTool({ name: 'echo', arguments: { value } })),
    );
    expect(results.map((result) => texts(result)[0])).toEqual(['0', '1', '2']);
  });
});

test('what is no registry is not served', async () => {
  await expect(serveHttp({}, {}, [anyTool('a', () => 1), anyTool('a', () => 2)])).rejects.toMatchObject({
    code: 'duplicate_tool',
  });
  const circular: Record<string, unknown> = { type: 'object' };
  circular['properties'] = circular;
  await expect(serveHttp({}, {}, [anyTool('a', () => 1, { parameters: circular })])).rejects.toMatchObject({
    code: 'invalid_tool',
  });
});

test('many calls of one connection at a time are no leak of listeners', async () => {
  const { url } = await serveHttp();
  const warnings: string[] = [];
  const listen = ({ name }: Error) => warnings.push(name);
  process.on('warning', listen);
  const clients = createMcpClients({ clientInfo: { name: 'many', version: '1' }, environment: {} });
  const tools = await clients.tools({ kind: 'http', url: url.href });
  const calls = Array.from({ length: 40 }, (_, value) => ({ id: `${value}`, name: 'echo', arguments: { value } }));
  const { outputs } = await runCalls(calls, tools, { now, concurrency: 40 });
  expect(outputs.map((output) => envelope(output)['content'])).toEqual(calls.map(({ id }) => id));
  await clients.close();
  process.off('warning', listen);
  expect(warnings).not.toContain('MaxListenersExceededWarning');
});
