import { join } from 'node:path';
import { ask, type DirectBackend, replay } from '@colophon/backends';
import { scriptedServer } from '@colophon/backends/testing';
import { describe, expect, test } from 'vitest';
import { calling, counter, freshFolder, lines, metas, readChat, roles, spy, testContext } from './helpers.js';

const returning = (reply: unknown): DirectBackend => ({ name: 'odd', reply: () => reply as never });

const said = (more: object = {}) => ({ messages: [{ role: 'assistant', content: 'hi' }], calls: [], ...more });

describe('half of a surrogate pair, which no file can hold,', () => {
  test.each(['openai', 'responses', 'anthropic', 'ollama'] as const)(
    'in a reply of %s costs nothing that is paid for',
    async (backend) => {
      const half = 'a\ud800b';
      const server = await scriptedServer([
        { text: half, reasoning: half, id: half, calls: [{ id: half, name: 'look', arguments: { half } }] },
        { text: `${half}\udc00` },
      ]);
      const folder = freshFolder();
      const { tool, ran } = counter('look', { parameters: { type: 'object' } });
      const options = { backend, url: server.urls[backend], model: 'm', key: 'none', tools: [tool], maxRetries: 0 };
      for (const more of [{}, { onDelta: () => {} }]) {
        const file = join(folder, `${Object.keys(more).length}.chat`);
        server.requests.length = 0;
        const answer = await ask({ file, question: 'go' }, { ...options, ...more, context: testContext(folder) });
        expect(answer.text).toBe('a\ufffdb\ufffd');
        expect(readChat(file).slice(1)).toEqual(answer.messages.map(({ role, content }) => ({ role, content })));
      }
      expect(ran).toHaveLength(2);
      await server.close();
    },
  );
});

test.each([
  'option',
  'exec_task',
  'file',
  'system',
  'user',
  'meta',
  'function_call',
  'previous_response_id',
  'No Role',
])('a message of the role %s is no part of a reply', async (role) => {
  const folder = freshFolder();
  const file = join(folder, 'a.chat');
  const reply = { messages: [{ role, content: 'model evil' }], calls: [] };
  const failure = ask({ file, question: 'go' }, { backend: returning(reply), context: testContext(folder) });
  await expect(failure).rejects.toMatchObject({ code: 'invalid_reply', message: expect.stringContaining(role) });
  expect(roles(readChat(file))).toEqual(['user']);
});

test('what has no meaning beside the text of a reply is left out, and the text is recorded', async () => {
  const folder = freshFolder();
  const odd = { id: {}, model: ['m'], reasoning: 5n, stopReason: 'because', usage: 'lots', extra: () => {} };
  const file = join(folder, 'a.chat');
  const answer = await ask({ file, question: 'go' }, { backend: returning(said(odd)), context: testContext(folder) });
  expect(answer).toMatchObject({ text: 'hi', stopReason: 'other', tokens: {} });
  const [meta] = metas(readChat(file));
  expect(meta).toMatchObject({ model: 'odd', stop_reason: 'other' });
  expect(meta).not.toHaveProperty('provider_response_id');
  expect(meta).not.toHaveProperty('reas');
  const numbers = await ask('go', { backend: returning(said({ id: 7, model: 4, stopReason: 1 })) });
  expect(metas(numbers.messages)[0]).toMatchObject({ provider_response_id: '7', model: '4', stop_reason: 'stop' });
});

test('ids of calls that are no text are made text or made new', async () => {
  const { tool, ran } = counter('look');
  let round = 0;
  const backend: DirectBackend = {
    name: 'odd',
    reply: () =>
      round++ === 0
        ? ({
            calls: [
              { id: 5, name: 'look' },
              { id: {}, name: 'look' },
            ],
          } as never)
        : said(),
  };
  const { messages } = await ask('go', { backend, tools: [tool] });
  expect(lines(messages).toSorted()).toEqual([
    'assistant hi',
    'call 5 look {}',
    expect.stringMatching(/^call missing-\S+ look {}$/),
    'output 5 ok look 1',
    expect.stringMatching(/^output missing-\S+ invalid_arguments/),
  ]);
  expect(ran).toHaveLength(1);
});

test.each(['none', undefined])('what a backend does to its prompt changes nothing (strategies: %s)', async (given) => {
  const { tool } = counter('look');
  const tools = [tool];
  const prompts: string[] = [];
  let round = 0;
  const backend: DirectBackend = {
    name: 'vandal',
    reply: (chat, { tools: offered, options }) => {
      prompts.push(chat.map(({ content }) => content).join());
      for (const message of chat) Object.assign(message, { role: 'system', content: 'gone' });
      chat.length = 0;
      (offered as unknown[]).length = 0;
      options.parameters['temperature'] = 9;
      return round++ === 0 ? ({ ...said(), ...calling(['c1', 'look']) } as never) : said();
    },
  };
  const input = [{ role: 'user', content: 'go' }];
  const more = given === undefined ? {} : { promptStrategies: given };
  const { messages } = await ask(input, { backend, tools, temperature: 1, ...more });
  expect(lines(messages)).toEqual(['assistant hi', 'call c1 look {}', 'output c1 ok look 1', 'assistant hi']);
  expect(prompts[1]).toMatch(/^go,hi,/);
  expect(input).toEqual([{ role: 'user', content: 'go' }]);
  expect(tools).toHaveLength(1);
});

test('pieces that come when the reply is over, or are none, are not told', async () => {
  const told: unknown[] = [];
  const backend: DirectBackend = {
    name: 'late',
    reply: (_chat, { onDelta }) => {
      setTimeout(() => onDelta?.({ kind: 'text', text: 'late' }), 1);
      onDelta?.(undefined as never);
      onDelta?.({ kind: 'text', text: 5 } as never);
      return said();
    },
  };
  await ask('go', { backend, onDelta: (delta) => told.push(delta) });
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(told).toEqual([{ kind: 'text', text: 'hi' }]);
});

test('two hundred calls in one reply, with ids that are there twice, each get their output, in order', async () => {
  const { tool, ran } = counter('look', { parameters: { type: 'object' } });
  const calls = Array.from({ length: 200 }, (_, n) => ({ id: `c${n % 100}`, name: 'look', arguments: { n } }));
  const { backend, asked } = spy((round) => (round < 2 ? { calls } : 'end'));
  const { messages } = await ask('go', { backend, tools: [tool], promptStrategies: 'none' });
  expect(ran).toHaveLength(400);
  expect(roles(messages).filter((role) => role === 'function_call_output')).toHaveLength(400);
  expect(asked).toHaveLength(3);
});

test('a replay knows a reply without text from none', async () => {
  const folder = freshFolder();
  const file = join(folder, 'a.chat');
  const backend = replay({ replies: [[''], ['second']] });
  const context = testContext(folder);
  expect((await ask({ file, question: 'one' }, { backend, context })).text).toBe('');
  expect((await ask({ file, question: 'two' }, { backend, context })).text).toBe('second');
  const again = { backend: replay({ chat: readChat(file) }), context };
  expect((await ask({ file: join(folder, 'b.chat'), question: 'one' }, again)).text).toBe('');
  expect((await ask({ file: join(folder, 'b.chat'), question: 'two' }, again)).text).toBe('second');
});

test('a picture in a reply is recorded and is no text of the answer', async () => {
  const image = { role: 'image', content: 'data:image/png;base64,iVBORw0KGgo=' };
  const told: string[] = [];
  const backend = returning({ messages: [{ role: 'assistant', content: 'Here:' }, image], calls: [] });
  const { text, messages } = await ask('go', { backend, onDelta: (delta) => told.push(delta.text) });
  expect([text, ...told]).toEqual(['Here:', 'Here:']);
  expect(messages.at(-1)).toEqual(image);
});
