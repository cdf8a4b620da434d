import { backends } from '@colophon/backends';
import { describe, expect, test, vi } from 'vitest';
import { asking, call, output, round, system, tide, user } from './wire-helpers.js';

const ollama = await backends.ollama();
const request = asking(ollama);

test('arguments are objects, ids and names of calls are kept', async () => {
  const { messages } = await request([system('Be brief.'), ...round]);
  expect(messages).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'tide', arguments: { port: 'Rye' } } },
        { id: 'call_2', type: 'function', function: { name: 'tide', arguments: { port: 'Hull' } } },
      ],
    },
    { role: 'tool', content: 'at six', tool_name: 'tide', tool_call_id: 'call_1' },
    { role: 'tool', content: '{"high":9}', tool_name: 'tide', tool_call_id: 'call_2' },
  ]);
});

test('arguments that are no object are told as such', async () => {
  const { messages } = await request([user('go'), call('a', '{"port": '), output('a', 'no JSON')]);
  expect(messages[1].tool_calls[0].function.arguments).toEqual({ invalid_arguments: '{"port": ' });
});

describe('parameters', () => {
  test('sampling and context stand below options', async () => {
    const body = await request([user('go')], {
      parameters: {
        temperature: 0.3,
        num_ctx: 8192,
        max_tokens: 7,
        stop: 'X',
        keep_alive: '5m',
        options: { seed: 1 },
        reasoning_effort: 'low',
      },
    });
    expect(body).toMatchObject({
      options: { temperature: 0.3, num_ctx: 8192, num_predict: 7, stop: ['X'], seed: 1 },
      keep_alive: '5m',
      think: 'low',
    });
    expect(body.temperature).toBeUndefined();
  });

  test('think as it is given', async () => {
    expect((await request([user('go')], { parameters: { think: false, reasoning_effort: 'high' } })).think).toBe(false);
    expect((await request([user('go')], { parameters: { reasoning_effort: 'none' } })).think).toBe(false);
  });

  test('a format', async () => {
    const schema = { type: 'object', properties: {} };
    expect((await request([user('go')], { format: { kind: 'json_schema', name: 'r', schema } })).format).toEqual(
      schema,
    );
    expect((await request([user('go')], { format: { kind: 'json_object' } })).format).toBe('json');
  });

  test('the search tool, PDF and images by address are refused', async () => {
    await expect(request([user('go')], { websearch: true })).rejects.toMatchObject({ code: 'unsupported' });
    await expect(request([{ role: 'pdf', content: '/a.pdf' }])).rejects.toMatchObject({ code: 'unsupported' });
    await expect(request([{ role: 'image', content: 'https://example.org/a.png' }])).rejects.toMatchObject({
      code: 'unsupported',
    });
  });
});

test('images stand in base64 beside the text', async () => {
  const { messages } = await request([
    user('One.'),
    { role: 'image', content: 'data:image/png;base64,AAAA' },
    user('Two.'),
  ]);
  expect(messages).toEqual([{ role: 'user', content: 'One.\n\nTwo.', images: ['AAAA'] }]);
});

test('a tool in the envelope of chat completions', async () => {
  const { tools } = await request([user('go')], {}, [tide]);
  expect(tools[0]).toMatchObject({ type: 'function', function: { name: 'tide', parameters: { required: ['port'] } } });
  expect(tools[0].function.parameters.properties).toEqual({ port: { type: 'string' } });
});

test('a call without an id has the same id for the same arguments, and another where that is taken', () => {
  const reply = (args: object) => ({
    message: { content: '', tool_calls: [{ function: { name: 'tide', arguments: args } }] },
    done: true,
  });
  const idOf = (args: object, chat: Parameters<typeof request>[0] = []) =>
    ollama.fromReply(reply(args), { chat }).calls[0]?.id;
  const id = idOf({ port: 'Rye', hour: 6 });
  expect(id).toMatch(/^tide_.+/);
  expect(idOf({ hour: 6, port: 'Rye' })).toBe(id);
  expect(idOf({ port: 'Rye', hour: 6 }, [user('go'), call(id ?? '')])).not.toBe(id);
});

test.each([
  ['', 'http://127.0.0.1:11434'],
  ['gpu', 'http://gpu:11434'],
  ['gpu:8080', 'http://gpu:8080'],
  [':8080', 'http://127.0.0.1:8080'],
  ['0.0.0.0', 'http://127.0.0.1:11434'],
  ['0.0.0.0:8080', 'http://127.0.0.1:8080'],
  ['[::1]:8080', 'http://[::1]:8080'],
  ['https://models.example.org/', 'https://models.example.org'],
  ['https://models.example.org/ollama', 'https://models.example.org/ollama'],
])('OLLAMA_HOST=%s is %s', (given, host) => {
  expect(ollama.client({ url: given }).host).toBe(host);
});

test('an address that is none is told without what may be secret in it', () => {
  expect(() => ollama.client({ url: 'http://me:secret@[bad' })).toThrow(
    expect.objectContaining({ code: 'bad_option', message: expect.not.stringContaining('secret') }),
  );
});

test("no key from the environment goes to the provider's own address", async () => {
  vi.stubEnv('OLLAMA_API_KEY', 'leaked-value');
  const seen: (string | null)[] = [];
  const fetch = async (_: unknown, init?: RequestInit) => {
    seen.push(new Headers(init?.headers).get('authorization'));
    return Response.json({ message: { role: 'assistant', content: 'ok' }, done: true });
  };
  for (const credentials of [{ url: 'https://ollama.com' }, { url: 'https://ollama.com', key: 'mine' }]) {
    await ollama.send(await request([user('go')]), { ...ollama.client(credentials), fetch }, {});
  }
  vi.unstubAllEnvs();
  expect(seen).toEqual([null, 'Bearer mine']);
});
