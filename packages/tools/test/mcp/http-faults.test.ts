import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseChat } from '@colophon/chat-format';
import { takeTools } from '@colophon/tools';
import { afterEach, describe, expect, test } from 'vitest';
import { callOne, openClients } from './servers.js';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

const listen = async (listener: RequestListener): Promise<string> => {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const bodyOf = async (request: IncomingMessage) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text === '' ? {} : JSON.parse(text);
};

const json = (response: ServerResponse, value: object, headers = {}) =>
  response
    .writeHead(200, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ jsonrpc: '2.0', ...value }));

const hello = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'h', version: '1' } };
const tools = [{ name: 'probe', inputSchema: { type: 'object' } }];

type Answer = (
  response: ServerResponse,
  call: { id: number; params: Record<string, unknown> },
  request: IncomingMessage,
) => unknown;

/** A server by hand: well-behaved but for how it answers a call. */
const behaved = (answer: Answer, seen: IncomingMessage[] = []) =>
  listen(async (request, response) => {
    seen.push(request);
    if (request.method !== 'POST') return response.writeHead(405).end();
    const { id, method, ...call } = await bodyOf(request);
    if (id === undefined) return response.writeHead(202).end();
    if (method === 'initialize') return json(response, { id, result: hello }, { 'mcp-session-id': 's1' });
    if (method === 'tools/list') return json(response, { id, result: { tools } });
    return answer(response, { id, ...call }, request);
  });

const stream = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' });

describe('an address where no server can be used is an error that says why:', () => {
  const take = (url: string, settings = {}) =>
    takeTools(parseChat(`mcp: ${url}\n`, { file: 'main.chat' }), {
      mcp: openClients({ settings: () => settings, connectTimeout: 2_000 }).tools,
    }).catch((error) => error);

  test.each([
    [401, 'it refuses us (HTTP 401)'],
    [403, 'it refuses us (HTTP 403)'],
    [404, 'there is no MCP server at this address (HTTP 404)'],
    [500, 'it answered with HTTP 500: oh dear'],
    [302, 'it answered with HTTP 302'],
  ])('HTTP %i', async (status, problem) => {
    const url = await listen((_, response) =>
      response.writeHead(status, { location: 'http://elsewhere.example/' }).end('oh dear'),
    );
    const error = await take(url, { key: 'tulip-key-123', headers: { 'X-Other': 'rose-key-456' } });
    expect(error).toMatchObject({ code: 'mcp_unreachable', message: expect.stringContaining(problem) });
    expect(error.facts.at).toMatchObject({ file: 'main.chat', line: 1 });
    expect(JSON.stringify([error.message, error.facts, error.stack])).not.toMatch(/tulip|rose/);
  });

  test('nobody listens', async () => {
    const url = await listen(() => {});
    servers[0]!.close();
    expect((await take(url)).message).toContain('ECONNREFUSED');
  });

  test('it never answers', async () => {
    const clients = openClients({ connectTimeout: 200 });
    const url = await listen(() => {});
    await expect(clients.tools({ kind: 'http', url })).rejects.toThrow('it did not answer within 0.2 s');
  });

  test('it is a page', async () => {
    const url = await listen((_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>hi'));
    expect((await take(url)).message).toContain('Unexpected content type: text/html');
  });

  test('it says our key back', async () => {
    const url = await listen((request, response) =>
      response.writeHead(500).end(`got ${request.headers.authorization}`),
    );
    const { message } = await take(url, { key: 'tulip-key-123' });
    expect(message).toContain('[hidden]');
    expect(message).not.toContain('tulip');
  });
});

describe('key and headers', () => {
  test('are sent with every request, and nowhere else', async () => {
    const seen: IncomingMessage[] = [];
    const url = await behaved((response, { id }) => json(response, { id, result: { content: [] } }), seen);
    const clients = openClients({
      settings: () => ({ url, key: 'tulip-key-123', headers: { 'X-Team': 'orchard' } }),
    });
    const list = await clients.tools({ kind: 'named', name: 'forge' });
    expect((await callOne(list, 'probe'))['content']).toBe('success');
    await clients.close();
    expect(seen.length).toBeGreaterThanOrEqual(4);
    for (const { headers } of seen)
      expect(headers).toMatchObject({ authorization: 'Bearer tulip-key-123', 'x-team': 'orchard' });
    // The session is given back.
    expect(seen.at(-1)?.method).toBe('DELETE');
    expect(list[0]!.origin).toBe('mcp: `forge`');
  });

  test('of an address that a chat names come from the settings, and two keys are two connections', async () => {
    const seen: IncomingMessage[] = [];
    const url = await behaved((response, { id }) => json(response, { id, result: { content: [] } }), seen);
    let key = 'tulip-key-1';
    const clients = openClients({ settings: () => ({ key }) });
    await clients.tools({ kind: 'http', url });
    key = 'tulip-key-2';
    await clients.tools({ kind: 'http', url });
    expect(new Set(seen.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['Bearer tulip-key-1', 'Bearer tulip-key-2']),
    );
  });

  test('in a result are hidden from the model', async () => {
    const url = await behaved((response, { id }, request) =>
      json(response, {
        id,
        result: { structuredContent: { sent: request.headers.authorization, 'tulip-key-1': [1] } },
      }),
    );
    const clients = openClients({ settings: () => ({ key: 'tulip-key-1' }) });
    const output = await callOne(await clients.tools({ kind: 'http', url }), 'probe');
    expect(JSON.parse(String(output['content']))).toEqual({ sent: 'Bearer [hidden]', '[hidden]': [1] });
  });
});

describe('a call fails where', () => {
  test.each<[string, Answer, string]>([
    ['the server answers with HTTP 500', (response) => response.writeHead(500).end('oven off'), 'HTTP 500: oven off'],
    ['it answers with HTTP 401', (response) => response.writeHead(401).end(), 'it refuses us (HTTP 401)'],
    ['the connection is cut', (response) => response.socket?.destroy(), 'fetch failed'],
    [
      'the answer is no JSON',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
      'JSON',
    ],
    ['the answer is no message', (response) => json(response, { id: 'x', nothing: 1 }), 'failed'],
    [
      'the stream of the answer breaks',
      (response) => stream(response).write('event: message\n', () => response.destroy()),
      'the connection broke before the answer was there',
    ],
    [
      'the stream ends without an answer',
      (response) => stream(response).end(': nothing\n\n'),
      'the connection broke before the answer was there',
    ],
    [
      'the stream has rubbish',
      (response) => stream(response).end('data: {"half": \n\ndata: []\n\n'),
      'the connection broke before the answer was there',
    ],
    [
      'a stream that could be resumed can not',
      (response) => stream(response).write('id: 1\nretry: 10\ndata:\n\n', () => response.destroy()),
      'the connection broke before the answer was there',
    ],
  ])('%s', async (_, answer, problem) => {
    const url = await behaved(answer);
    const list = await openClients().tools({ kind: 'http', url });
    const output = await callOne(list, 'probe', {}, { timeLimit: 20_000 });
    expect(output['error']).toBe('error');
    expect(JSON.parse(String(output['content'])).exception).toContain(problem);
  });

  test('the server hangs, at the time limit', async () => {
    const list = await openClients().tools({
      kind: 'http',
      url: await behaved((response) => stream(response).write(': wait\n\n')),
    });
    expect((await callOne(list, 'probe', {}, { timeLimit: 100 }))['error']).toBe('timeout');
  });
});

test('an answer that comes in pieces, at the end of its stream, is read whole', async () => {
  const text = 'ünï 😀 '.repeat(20_000);
  const url = await behaved(async (response, { id }) => {
    const bytes = Buffer.from(
      `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } })}\n\n`,
    );
    stream(response);
    for (let start = 0; start < bytes.length; start += 9_999) response.write(bytes.subarray(start, start + 9_999));
    response.end();
  });
  const list = await openClients().tools({ kind: 'http', url });
  expect((await callOne(list, 'probe', {}, { maxContentLength: 1e6 }))['content']).toBe(text);
});

test('a server that lost our session gets a new one, and the call once more', async () => {
  const sessions: unknown[] = [];
  let calls = 0;
  const url = await listen(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const { id, method } = await bodyOf(request);
    if (id === undefined) return response.writeHead(202).end();
    if (method === 'initialize') {
      sessions.push(id);
      return json(response, { id, result: hello }, { 'mcp-session-id': `s${sessions.length}` });
    }
    if (method === 'tools/list') return json(response, { id, result: { tools } });
    calls++;
    return request.headers['mcp-session-id'] === 's1'
      ? response.writeHead(404).end()
      : json(response, { id, result: { content: [{ type: 'text', text: 'here' }] } });
  });
  const list = await openClients().tools({ kind: 'http', url });
  expect((await callOne(list, 'probe'))['content']).toBe('here');
  expect([sessions.length, calls]).toEqual([2, 2]);
});
