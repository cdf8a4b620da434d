import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { backends, type Reply, type WireBackend } from '@colophon/backends';
import { type ScriptedReply, type ScriptedServer, scriptedServer, type WireName } from '@colophon/backends/testing';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { options, user } from './wire-helpers.js';

const names: WireName[] = ['responses', 'openai', 'anthropic', 'ollama'];
const all = await Promise.all(names.map(async (name) => ({ name, backend: (await backends[name]()) as WireBackend })));

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  vi.unstubAllEnvs();
});

const serve = async (replies: ScriptedReply[]) => {
  const server = await scriptedServer(replies);
  servers.push(server);
  return server;
};

const ask = async (backend: WireBackend, client: unknown, context = {}): Promise<Reply> =>
  backend.fromReply(await backend.send(await backend.toRequest([user('go')], [], options()), client, context));

describe.each(all)('$name', ({ name, backend }) => {
  test('tries again after a limit, as soon as the provider allows', async () => {
    const server = await serve([
      { status: 429, headers: { 'retry-after': '0.05' } },
      { status: 503, headers: { 'retry-after': '0.05' } },
      { text: 'Six.' },
    ]);
    const client = await backend.client?.({ key: 'k', url: server.urls[name] });
    expect((await ask(backend, client)).messages[0]?.content).toBe('Six.');
    expect(server.requests).toHaveLength(3);
  });

  test('tries again where the connection was lost before an answer', async () => {
    const server = await serve([{ text: 'never', fault: 'drop' }, { text: 'Six.' }]);
    const client = await backend.client?.({ key: 'k', url: server.urls[name] });
    expect((await ask(backend, client)).messages[0]?.content).toBe('Six.');
  });

  test('tells where nobody answers', async () => {
    const server = await serve([]);
    await server.close();
    const client = await backend.client?.({ key: 'k', url: server.urls[name], maxRetries: 0 });
    const error = await ask(backend, client).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(inspect(error)).toContain('ECONNREFUSED');
  });

  test('does not try again what will not help', async () => {
    const server = await serve([{ status: 400, message: 'no such model' }, { text: 'Six.' }]);
    const client = await backend.client?.({ key: 'k', url: server.urls[name] });
    await expect(ask(backend, client)).rejects.toThrow(/no such model/);
    expect(server.requests).toHaveLength(1);
  });

  test('an abort ends the wait before a retry', async () => {
    const server = await serve([{ status: 429, headers: { 'retry-after': '60' } }]);
    const client = await backend.client?.({ key: 'k', url: server.urls[name] });
    const controller = new AbortController();
    const asked = ask(backend, client, { signal: controller.signal });
    await vi.waitFor(() => expect(server.requests).toHaveLength(1));
    controller.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
  });

  test('the environment adds nothing to a request', async () => {
    for (const prefix of ['OPENAI', 'ANTHROPIC', 'OLLAMA']) {
      vi.stubEnv(`${prefix}_CUSTOM_HEADERS`, 'x-leak: yes');
      for (const part of ['API_KEY', 'AUTH_TOKEN', 'ADMIN_KEY', 'ORG_ID', 'PROJECT_ID'])
        vi.stubEnv(`${prefix}_${part}`, 'leaked-value');
      vi.stubEnv(`${prefix}_BASE_URL`, 'http://127.0.0.1:9');
    }
    const server = await serve([{ text: 'one' }, { text: 'two' }]);
    await ask(backend, await backend.client?.({ url: server.urls[name] }));
    await ask(backend, await backend.client?.({ key: 'mine', url: server.urls[name], headers: { 'x-own': 'yes' } }));
    const [without, own] = server.requests.map(({ headers }) => headers);
    expect(without).not.toHaveProperty('authorization');
    expect(without).not.toHaveProperty('x-api-key');
    expect(own).toMatchObject({ 'x-own': 'yes', authorization: 'Bearer mine' });
    expect(JSON.stringify([without, own])).not.toMatch(/leak/);
  });

  test('one signal serves many requests without a warning', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on('warning', note);
    const server = await serve(Array.from({ length: 30 }, () => ({ text: 'ok' })));
    const client = await backend.client?.({ key: 'k', url: server.urls[name] });
    const { signal } = new AbortController();
    for (let round = 0; round < 30; round++)
      await ask(backend, client, { signal, ...(round % 2 ? { onDelta: () => {} } : {}) });
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  describe('prints nothing', () => {
    beforeEach(() => {
      for (const method of ['log', 'warn', 'error', 'info', 'debug'] as const)
        vi.spyOn(console, method).mockImplementation(() => {});
    });
    afterEach(() => vi.restoreAllMocks());

    test.each([
      ['a stream that is broken', { text: 'one two three four', fault: 'malformed' }],
      ['a refused key', { status: 401 }],
      ['a model that is old', { text: 'ok' }],
    ] as [string, ScriptedReply][])('at %s', async (_, reply) => {
      const server = await serve([reply]);
      const client = await backend.client?.({ key: 'k', url: server.urls[name], maxRetries: 0 });
      const request = await backend.toRequest([user('go')], [], options({ model: 'claude-sonnet-4-5' }));
      await backend.send(request, client, { onDelta: () => {} }).catch(() => {});
      for (const method of ['log', 'warn', 'error', 'info', 'debug'] as const)
        expect(console[method]).not.toHaveBeenCalled();
    });
  });

  test('a reply that takes its time and comes in single bytes is read', async () => {
    const server = await serve([{ text: 'Zwölf 🥊 Boxer', pause: 2, split: 1 }]);
    const client = await backend.client?.({ key: 'k', url: server.urls[name], timeout: 2000 });
    const deltas: string[] = [];
    const { messages } = await ask(backend, client, { onDelta: ({ text }: { text: string }) => deltas.push(text) });
    expect(messages[0]?.content).toBe('Zwölf 🥊 Boxer');
    expect(deltas.join('')).toBe('Zwölf 🥊 Boxer');
  });
});

test("the provider's own address asks for a key", async () => {
  for (const { backend } of all.filter(({ name }) => name !== 'ollama')) {
    await expect((async () => backend.client?.({}))()).rejects.toMatchObject({
      code: 'missing_key',
      message: expect.stringMatching(/_API_KEY/),
    });
  }
});

test.each([
  { 'retry-after': '3600' },
  { 'retry-after-ms': '90000' },
  { 'retry-after': new Date(Date.now() + 900_000).toUTCString() },
  { 'retry-after': '99999999999' },
])('a server that asks for a long wait (%j) is not waited for: who asked is told', async (headers) => {
  for (const { name, backend } of all) {
    const server = await serve([{ status: 429, headers }, { text: 'Six.' }]);
    const client = await backend.client?.({ key: 'k', url: server.urls[name] });
    await expect(ask(backend, client)).rejects.toMatchObject({ status: 429 });
    expect(server.requests).toHaveLength(1);
  }
});

describe('streams that are odd', () => {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const type = request.url?.endsWith('/api/chat') ? 'application/x-ndjson' : 'text/event-stream';
    request.resume().on('end', () => response.writeHead(200, { 'content-type': type }).end(bodies.shift()));
  });
  beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
  afterAll(() => server.close());

  const stream = async (name: WireName, body: string) => {
    const { backend } = all.find((entry) => entry.name === name)!;
    bodies.push(body);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return ask(backend, await backend.client?.({ key: 'k', url, maxRetries: 0 }), { onDelta: () => {} });
  };
  const events = (...given: { type: string }[]) =>
    given.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
  const begin = {
    type: 'message_start',
    message: { id: 'm', content: [], usage: { input_tokens: 1, output_tokens: 1 } },
  };
  const block = (index: number) => ({
    type: 'content_block_start',
    index,
    content_block: { type: 'text', text: 'Six.' },
  });

  test('an index beyond all measure costs nothing', async () => {
    const reply = await stream('anthropic', events(begin, block(4_000_000_000), { type: 'message_stop' }));
    expect(reply.messages).toMatchObject([{ content: 'Six.' }]);
  });

  test('an end without a beginning is no reply', async () => {
    await expect(stream('anthropic', events({ type: 'message_stop' }))).rejects.toMatchObject({ code: 'cut' });
  });

  test('blank lines are passed over without a word on the terminal', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const line = JSON.stringify({ message: { role: 'assistant', content: 'Six.' }, done: true });
    for (const body of [`\n\n${line}\n\n`, `\r\n${line}\r\n`, line])
      expect((await stream('ollama', body)).messages).toMatchObject([{ content: 'Six.' }]);
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
  });

  test('other line ends, comments and no space behind the colon', async () => {
    const chunk = { id: 'c', choices: [{ index: 0, delta: { content: 'Six.' }, finish_reason: 'stop' }] };
    for (const end of ['\n', '\r\n', '\r']) {
      const body = `: alive${end}${end}data:${JSON.stringify(chunk)}${end}${end}data: [DONE]${end}${end}`;
      expect((await stream('openai', body)).messages).toMatchObject([{ content: 'Six.' }]);
    }
  });
});
