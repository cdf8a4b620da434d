import type { Chat } from '@colophon/chat-format';
import { type CacheRules, cacheRules, providerCacheRules, type Strategy, simulate } from '@colophon/prompt-strategies';
import { describe, expect, test } from 'vitest';
import { assistant, call, history, meta, output, system, user } from './chats.js';

const words = [
  'lantern',
  'oil',
  'harbour',
  'stone',
  'winter',
  'ledger',
  'paper',
  'rope',
  'candle',
  'iron',
  'meadow',
  'river',
];
/** Text of about so many tokens, a different one for each `start`. */
const text = (tokens: number, start: number): string =>
  Array.from({ length: tokens }, (_, index) => words[(index * 7 + start * 5 + (index >> 4)) % words.length]).join(' ');

/** Rules under which a prefix costs nothing to keep and a tenth to read. */
const perfect: CacheRules = { minimum: 0, block: 1, lifetime: 1e9, write: 1.25, read: 0.1 };

test('ranks the cadences: sending all costs most, then a window that slides, then epochs, then smaller ones', async () => {
  const chat: Chat = [system(text(20_000, 0)), user('go')];
  for (let n = 0; n < 300; n++) chat.push(call(`c${n}`, { n, why: text(100, n) }), output(`c${n}`, text(2_180, n)));
  chat.push(assistant('done'));
  const compare = async (options: Record<string, number>) =>
    (await simulate(chat, { strategies: ['none', 'shorten_tools', 'shorten_tools_epoch'], provider: perfect, options }))
      .strategies;
  const [all, sliding, epochs] = await compare({});
  const [, , smaller] = await compare({ epoch_full_tool_calls: 10, epoch_compacted_tool_calls: 40, epoch_size: 10 });
  const costs = [all, sliding, epochs, smaller].map((candidate) => candidate?.cost ?? 0);
  expect(costs).toEqual(costs.toSorted((a, b) => b - a));
  // Million tokens; the reference model, which has no account of what was shortened, gives 11.8, 10.5, 4.6 and 3.6.
  for (const [index, expected] of [11.8, 10.5, 4.6, 3.6].entries()) {
    expect(Math.abs((costs[index] ?? 0) / 1e6 / expected - 1)).toBeLessThan(0.2);
  }
  expect(all?.relative).toBe(1);
});

describe('turns', () => {
  const turnsOf = async (chat: Chat): Promise<number> => (await simulate(chat, { strategies: [] })).turns;
  const round = [call('a'), call('b'), output('b'), output('a')];

  test('are the recorded inferences', async () => {
    expect(
      await turnsOf([user('q'), meta(), ...round, meta(), assistant('a'), user('?'), meta(), assistant('b')]),
    ).toBe(3);
    expect(
      await turnsOf([user('q'), meta(), call('a'), output('a'), call('b'), output('b'), meta(), assistant('a')]),
    ).toBe(2);
    expect(await turnsOf([user('q'), meta('job=x'), assistant('a')])).toBe(1);
  });

  test('are the rounds of what the model said where nothing was recorded', async () => {
    expect(await turnsOf([user('q'), assistant('I look'), ...round, assistant('a'), user('?'), assistant('b')])).toBe(
      3,
    );
    expect(await turnsOf([user('q'), meta(), assistant('a'), user('?'), ...round, assistant('b')])).toBe(3);
    expect(await turnsOf([user('nothing was asked')])).toBe(0);
  });
});

describe('tokens', () => {
  const recorded = [10, 150, 320].map((more) => 900 + more);
  const chat = [
    ...[system('be brief'), user(text(600, 1))],
    ...[meta(`pt=${recorded[0]} ct=20`), call('a', { n: 1 }), output('a', text(110, 2))],
    ...[meta(`pt=${recorded[1]} ct=20`), call('b', { n: 2 }), output('b', text(130, 3))],
    ...[meta(`pt=${recorded[2]} ct=20`), assistant('done')],
  ];

  test('are exact where the records tell them', async () => {
    const { exact, estimated, strategies } = await simulate(chat, { strategies: ['none'], provider: perfect });
    expect(strategies[0]?.sent).toBe(recorded.reduce((sum, count) => sum + count, 0));
    expect(exact).toBe(recorded[2]);
    expect(estimated).toBeLessThan(10);
  });

  test('are estimated where a record tells of a prompt that had been shortened', async () => {
    const shortened = [...chat.slice(0, -2), meta('pt=300 ct=20'), assistant('done')];
    const { exact, strategies } = await simulate(shortened, { strategies: ['none'], provider: perfect });
    expect(exact).toBe(recorded[1]);
    expect(Math.abs((strategies[0]?.sent ?? 0) / 3200 - 1)).toBeLessThan(0.05);
  });

  test('are counted in linear time, whatever the text', async () => {
    const { estimated } = await simulate([user('o'.repeat(300_000)), assistant('<|endoftext|>')], { strategies: [] });
    expect(estimated).toBeGreaterThan(30_000);
  });
});

describe('the cache', () => {
  const stamped = (times: string[]): Chat =>
    times.flatMap((time, n) => [
      user(text(2_000, n)),
      meta(`pt=${2_000 * (n + 1)} timestamp="${time}"`),
      assistant('yes'),
    ]);
  const costOf = async (chat: Chat, provider: string | CacheRules, model?: string) =>
    (await simulate(chat, { strategies: ['none'], provider, ...(model && { model }) })).strategies[0]!;

  test('serves the prefix that the turn before sent, and holds it for its time', async () => {
    const quick = await costOf(
      stamped(['2026-11-03 12:00:00 +0100', '2026-11-03 12:04:00 +0100', '2026-11-03T11:08:00Z']),
      'anthropic',
    );
    expect(quick).toMatchObject({
      sent: 12_000,
      served: 6_000,
      written: 6_000,
      expired: 0,
      cost: 6_000 * 1.25 + 6_000 * 0.1,
    });
    const slow = await costOf(
      stamped(['2026-11-03 12:00:00', '2026-11-03 12:06:00', '2026-11-03 12:07:00']),
      'anthropic',
    );
    expect(slow).toMatchObject({ served: 4_000, expired: 1 });
    const hour = await costOf(
      stamped(['2026-11-03 12:00:00', '2026-11-03 12:06:00', '2026-11-03 12:07:00']),
      'anthropic-1h',
    );
    expect(hour).toMatchObject({ served: 6_000, expired: 0, cost: 6_000 * 2 + 6_000 * 0.1 });
    expect(await costOf(stamped(['', '', '']), 'anthropic')).toMatchObject({ served: 6_000, expired: 0 });
  });

  test('serves in blocks, from its minimum on', async () => {
    const chat = stamped(['', '', '']);
    expect(await costOf(chat, 'openai', 'gpt-5')).toMatchObject({
      served: 1_920 + 3_968,
      cost: Math.round(12_000 - 5_888 + 588.8),
    });
    expect(await costOf(chat, 'anthropic', 'claude-opus-4-5')).toMatchObject({ served: 0, written: 6_000 });
    expect(await costOf(chat, { ...perfect, minimum: 1e9 })).toMatchObject({ served: 0, written: 0, cost: 12_000 });
  });

  test('follows the model that the chat names', async () => {
    const chat = stamped(['', '', '']).map((message) =>
      message.role === 'meta' ? { ...message, content: `${message.content} model=claude-haiku-4-5` } : message,
    );
    const simulation = await simulate(chat, { strategies: [] });
    expect([simulation.model, simulation.rules.minimum]).toEqual(['claude-haiku-4-5', 4096]);
  });
});

describe('the rules', () => {
  test('each have a figure for any model, with its date and source', () => {
    for (const figures of Object.values(providerCacheRules)) {
      for (const list of Object.values(figures) as {
        value: number;
        date: string;
        source: string;
        models?: string[];
      }[][]) {
        expect(list.at(-1)?.models).toBeUndefined();
        for (const figure of list) {
          expect(figure.value).toBeGreaterThan(0);
          expect(figure.date).toMatch(/^20\d\d-\d\d-\d\d$/);
          expect(figure.source).not.toBe('');
        }
      }
    }
  });

  test('differ by model', () => {
    expect(cacheRules('anthropic')).toEqual({ minimum: 1024, block: 1, lifetime: 300, write: 1.25, read: 0.1 });
    expect(cacheRules('anthropic', 'claude-opus-5').minimum).toBe(512);
    expect(cacheRules('openai', 'gpt-5.6-sol')).toEqual({
      minimum: 1024,
      block: 128,
      lifetime: 1800,
      write: 1.25,
      read: 0.1,
    });
    expect(
      ['gpt-4o', 'gpt-4.1-mini', 'o3', 'o3-mini', 'gpt-5'].map((model) => cacheRules('openai', model).read),
    ).toEqual([0.5, 0.25, 0.25, 0.5, 0.1]);
  });

  test('of an unknown provider are an error that lists the known ones', async () => {
    await expect(simulate([], { provider: 'constructor' })).rejects.toMatchObject({
      code: 'unknown_provider',
      message: expect.stringContaining('anthropic, '),
    });
  });
});

test('takes strategies as names, lists and functions, with thresholds and a table; reads no inbox', async () => {
  const last: Strategy = (chat) => chat.slice(-1);
  const chat = [user('q'), ...history(12), assistant('a')];
  const { strategies } = await simulate(chat, {
    strategies: ['none', 'shorten_tools_epoch,inbox', last, ['mine', 'none']],
    table: { none: (all) => all, mine: last, inbox: (all) => all, shorten_tools_epoch: last },
    options: { epoch_size: 1 },
  });
  expect(strategies.map(({ strategy }) => strategy)).toEqual([
    'none',
    'shorten_tools_epoch,inbox',
    'last',
    'mine,none',
  ]);
  expect(strategies.every(({ relative }) => relative <= 1)).toBe(true);
  await expect(simulate(chat, { strategies: ['nonesuch'] })).rejects.toMatchObject({ code: 'unknown_strategy' });
});
