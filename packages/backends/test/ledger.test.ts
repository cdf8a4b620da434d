import { type AskOptions, ask } from '@colophon/backends';
import type { Tool } from '@colophon/tools';
import { expect, test } from 'vitest';
import { calling, counter, freshFolder, roles, spy, testContext } from './helpers.js';

const delegating = (inner: AskOptions): Tool => ({
  name: 'delegate',
  description: 'Asks somebody else.',
  parameters: { type: 'object', properties: {} },
  run: async (_, { ledger, passedOn, signal }) => {
    const own = { signal, ledger: ledger as never, defaults: passedOn as never };
    const { text, reason } = await ask('inner', { ...inner, ...own });
    return text || reason;
  },
});

const outer = () =>
  spy((round) =>
    round === 0 ? { ...calling(['c', 'delegate']), usage: { tt: 10 } } : { messages: [], usage: { tt: 1 } },
  );

test('what a run delegates counts against its budget', async () => {
  const inner = spy((round) => ({ ...calling([`i${round}`, 'count']), usage: { tt: 30 } }));
  const { backend, asked } = outer();
  const { tool } = counter('count');
  const tools = [delegating({ backend: inner.backend, tools: [tool] })];
  const answer = await ask('go', { backend, tools, maxTokens: 100 });
  expect(inner.asked).toHaveLength(3);
  expect(asked).toHaveLength(1);
  expect(answer).toMatchObject({ stopReason: 'budget', tokens: { tt: 10 } });
  expect(answer.reason).toContain('100 tokens are used');
});

test('a budget of the inner run is its own', async () => {
  const inner = spy((round) => ({ ...calling([`i${round}`, 'count']), usage: { tt: 30 } }));
  const { backend } = outer();
  const { tool } = counter('count');
  const tools = [delegating({ backend: inner.backend, tools: [tool], maxTokens: 31 })];
  const answer = await ask('go', { backend, tools, maxTokens: 100 });
  expect(inner.asked).toHaveLength(2);
  expect(answer.stopReason).toBe('stop');
});

test('a run is told of before it asks where the budget it belongs to is spent', async () => {
  const { backend, asked } = spy(() => 'no');
  const ledger = { tokens: { tt: 9 }, cost: 0, unmetered: false, replies: 1, maxTokens: 9 };
  expect(await ask('go', { backend, ledger })).toMatchObject({ stopReason: 'budget' });
  expect(asked).toEqual([]);
});

test('passed on are the way to the provider and its parameters; a chat beats them, and another endpoint drops them', async () => {
  const seen: AskOptions[] = [];
  const tool: Tool = { ...delegating({}), run: (_, { passedOn }) => void seen.push(passedOn as AskOptions) };
  const { backend } = spy((round) => (round === 0 ? calling(['c', 'delegate']) : 'done'));
  const chat = [{ role: 'option', content: 'temperature 0.5' }, { role: 'format', content: 'json' }, 'go'];
  await ask(chat, { backend, key: 'k', url: 'http://x', model: 'm', tools: [tool], stream: false });
  expect(seen).toEqual([{ backend, key: 'k', url: 'http://x', model: 'm', temperature: 0.5, stream: false }]);
  const other = spy(() => 'done');
  await ask([{ role: 'option', content: 'temperature 1' }, 'go'], { defaults: { ...seen[0], backend: other.backend } });
  expect(other.asked[0]?.options).toMatchObject({ model: 'm', parameters: { temperature: 1 } });
  const third = spy(() => 'done', { name: 'third' });
  await ask('go', { backend: third.backend, defaults: seen[0]! });
  expect(third.asked[0]?.options).toMatchObject({ model: 'third', parameters: {} });
});

test('an address that a chat gave is passed on as it was taken, never as one of its own', async () => {
  const seen: AskOptions[] = [];
  const tool: Tool = { ...delegating({}), run: (_, { passedOn }) => void seen.push(passedOn as AskOptions) };
  const { backend } = spy((round) => (round === 0 ? calling(['c', 'delegate']) : 'done'));
  await ask([{ role: 'option', content: 'url http://evil.example' }, 'go'], { backend, key: 'k', tools: [tool] });
  expect(seen[0]).not.toHaveProperty('url');
});

test('everything new is told as it is recorded; a listener that throws costs nothing', async () => {
  const told: string[] = [];
  const { backend } = spy((round) => (round === 0 ? calling(['c', 'count']) : 'done'));
  const { tool } = counter('count');
  const answer = await ask('go', {
    backend,
    tools: [tool],
    context: testContext(freshFolder()),
    onRecord: (messages) => {
      told.push(...roles(messages));
      throw new Error('listener');
    },
  });
  expect(told).toEqual(roles(answer.messages));
  expect(told).toEqual(['meta', 'function_call', 'function_call_output', 'meta', 'assistant']);
});
