import type { Chat } from '@colophon/chat-format';
import {
  defaultStrategies,
  epochSchedule,
  preparePrompt,
  repairPairs,
  type Strategy,
  strategies,
} from '@colophon/prompt-strategies';
import { describe, expect, test } from 'vitest';
import {
  assistant,
  call,
  history,
  idOf,
  isNotice,
  isToolMessage,
  meta,
  output,
  pairFaults,
  system,
  user,
} from './chats.js';

const rolesOf = (chat: Chat): string =>
  chat.map(({ role }) => role.replace('function_call', 'call').replace('call_output', 'output')).join(' ');

describe('strategies are chosen', () => {
  const shout: Strategy = (chat) => chat.map((message) => ({ ...message, content: message.content.toUpperCase() }));
  const chat = [user('q'), assistant('a')];

  test('by name, by names apart by commas, as a function, as a list of these; none, and by default', async () => {
    expect((await preparePrompt(chat, 'none')).chat).toEqual(chat);
    expect((await preparePrompt(chat, [])).chat).toEqual(chat);
    expect((await preparePrompt(chat, shout)).chat).toEqual([user('Q'), assistant('A')]);
    expect((await preparePrompt(chat, ['none', shout, ' inbox , none'])).chat).toEqual([user('Q'), assistant('A')]);
    expect((await preparePrompt(chat, 'shout, none', { strategies: { ...strategies, shout } })).chat).toEqual([
      user('Q'),
      assistant('A'),
    ]);
    expect(defaultStrategies).toEqual(['shorten_tools_epoch_increment', 'inbox']);
    const { chat: prompt } = await preparePrompt([user('q'), ...history(200)]);
    expect(prompt.find(isNotice)).toBeDefined();
  });

  test.each(['nonesuch', 'none,constructor', 7 as unknown as string])(
    'an unknown one (%s) is an error that lists the known ones',
    async (name) => {
      await expect(preparePrompt(chat, name)).rejects.toMatchObject({
        code: 'unknown_strategy',
        message: expect.stringContaining(
          'Known: inbox, none, shorten_tools, shorten_tools_epoch, shorten_tools_epoch_increment',
        ),
      });
    },
  );

  test('one that returns no chat is told so, one that breaks pairs is mended', async () => {
    await expect(preparePrompt(chat, () => undefined as unknown as Chat)).rejects.toMatchObject({
      code: 'strategy_result',
    });
    const { chat: prompt } = await preparePrompt([user('q'), call('a'), call('b'), output('a'), output('b')], (all) =>
      all.slice(0, -1),
    );
    expect(pairFaults(prompt)).toEqual([]);
  });
});

describe('thresholds', () => {
  const chat = [user('q'), ...history(12)];
  const kept = async (context: Parameters<typeof preparePrompt>[2]): Promise<number> =>
    new Set((await preparePrompt(chat, 'shorten_tools', context)).chat.filter(isToolMessage).map(idOf)).size;

  test('come from the options of the call, then from settings, then from the defaults, at each call', async () => {
    const settings: Record<string, string | number> = { max_tool_chars: '0', max_tool_calls: 4 };
    const setting = (name: string): string | number | undefined => settings[name];
    expect(await kept({})).toBe(12);
    expect(await kept({ setting })).toBe(9);
    expect(await kept({ setting, options: { full_tool_outputs: '3' } })).toBe(4);
    expect(await kept({ setting, options: { full_tool_outputs: 3, max_tool_calls: 2, max_tool_outputs: '' } })).toBe(2);
    settings['max_tool_calls'] = 11;
    expect(await kept({ setting })).toBe(11);
  });

  test.each(['many', Number.NaN, {}, true])('%s is no threshold', async (value) => {
    await expect(kept({ options: { max_tool_calls: value } })).rejects.toMatchObject({
      code: 'invalid_threshold',
      message: expect.stringMatching(/max_tool_calls is .*expected a number/),
    });
  });

  test('an epoch size of nothing, or nothing to keep, turns the epochs off', async () => {
    for (const options of [
      { epoch_size: 0 },
      { epoch_size: -3 },
      { epoch_full_tool_calls: 0, epoch_compacted_tool_calls: 0 },
    ]) {
      for (const strategy of ['shorten_tools_epoch', 'shorten_tools_epoch_increment']) {
        expect((await preparePrompt([user('q'), ...history(90)], strategy, { options })).chat.length).toBe(181);
      }
    }
  });
});

describe('pairs', () => {
  test('a call without an output gets one that says so; an output without a call is left out', () => {
    const repaired = repairPairs([user('q'), call('a'), output('b'), assistant('so')]);
    expect(rolesOf(repaired)).toBe('user call output assistant');
    expect(JSON.parse(repaired[2]!.content)).toEqual({
      id: 'a',
      content: expect.stringContaining('interrupted'),
      error: 'missing',
    });
  });

  test('nothing stays between a group and its outputs', () => {
    const chat = [
      user('q'),
      call('a'),
      meta(),
      call('b'),
      meta(),
      user('note'),
      output('b'),
      assistant('hm'),
      output('a'),
      user('?'),
    ];
    expect(rolesOf(repairPairs(chat))).toBe('user call call output output meta meta user assistant user');
  });

  test('repeated ids are paired first in, first out, and made unique pair by pair', () => {
    const chat = [
      call('x', 1),
      call('x', 2),
      output('x', 'one'),
      output('x', 'two'),
      call('x_2', 3),
      output('x_2', 'three'),
      call('x', 4),
      output('x', 'four'),
    ];
    const repaired = repairPairs(chat).map((message) => JSON.parse(message.content));
    expect(repaired.map(({ id }) => id)).toEqual(['x', 'x_2', 'x', 'x_2', 'x_2_2', 'x_2_2', 'x_3', 'x_3']);
    expect(repaired.map(({ content, arguments: argument }) => content ?? argument)).toEqual([
      1,
      2,
      'one',
      'two',
      3,
      'three',
      4,
      'four',
    ]);
  });

  test('a call that was interrupted does not take the output of a later one with its id', () => {
    const repaired = repairPairs([call('x', 1), user('?'), call('x', 2), output('x', 'two')]).map(
      ({ content }) => content,
    );
    expect(repaired[1]).toContain('missing');
    expect(repaired.slice(3)).toEqual([call('x_2', 2).content, output('x_2', 'two').content]);
  });

  test('a call without an id gets one; one that cannot be read is left out with its output', () => {
    const chat = [
      call(undefined, 1),
      output(undefined, 'one'),
      { role: 'function_call', content: '{"name":' },
      output('c', 'lost'),
    ];
    expect(repairPairs(chat).map(idOf)).toEqual(['call', 'call']);
  });

  test('a new id keeps the rest of the message, keys named __proto__ included', () => {
    const odd = {
      role: 'function_call',
      content: '{"call_id":"x","function":{"name":"f","arguments":{"__proto__":{"a":1}}},"more":true}',
    };
    const [, second] = repairPairs([odd, odd, output('x'), output('x')]);
    expect(second?.content).toBe('{"function":{"name":"f","arguments":{"__proto__":{"a":1}}},"more":true,"id":"x_2"}');
  });
});

describe('positions', () => {
  const options = {
    epoch_tool_call_threshold: 4,
    epoch_full_tool_calls: 1,
    epoch_compacted_tool_calls: 1,
    epoch_size: 2,
  };
  const keptIds = async (chat: Chat): Promise<string[]> => [
    ...new Set((await preparePrompt(chat, 'shorten_tools_epoch', { options })).chat.filter(isToolMessage).map(idOf)),
  ];

  test('count an output that cannot be read like any other', async () => {
    const chat = [user('q'), ...history(7)];
    const damaged = chat.map((message) =>
      message.content === output('c2', '2 '.repeat(400)).content ? { ...message, content: '{' } : message,
    );
    expect(damaged).not.toEqual(chat);
    expect(await keptIds(damaged)).toEqual(await keptIds(chat));
  });

  test('give a group that straddles a window the class of its newest member', async () => {
    const parallel = [
      ...[0, 1, 2, 3, 4].map((n) => call(`p${n}`, { n })),
      ...[4, 3, 2, 1, 0].map((n) => output(`p${n}`, 'x '.repeat(300))),
    ];
    expect(await keptIds([user('q'), ...history(2, 50), ...parallel, ...history(2, 60)])).toEqual([
      'p0',
      'p1',
      'p2',
      'p3',
      'p4',
      'c60',
      'c61',
    ]);
  });
});

describe('two strategies after each other', () => {
  test('leave one notice that counts what both did, and shorten nothing twice', async () => {
    const options = {
      max_tool_chars: 0,
      full_tool_outputs: 2,
      max_tool_calls: 20,
      epoch_tool_call_threshold: 10,
      epoch_compacted_tool_calls: 5,
      epoch_full_tool_calls: 2,
    };
    const { chat } = await preparePrompt([user('q'), ...history(30)], 'shorten_tools,shorten_tools_epoch', { options });
    const notices = chat.filter(isNotice);
    expect(notices.length).toBe(1);
    const removed = 60 - chat.filter(isToolMessage).length;
    expect(notices[0]?.['notice']).toMatchObject({ removed });
    expect(chat.filter(({ content }) => content.split('Historical account').length > 3)).toEqual([]);
  });
});

describe('boundaries', () => {
  const boundariesOf = async (chat: Chat, strategy = 'none'): Promise<number[]> =>
    (
      await preparePrompt(chat, strategy, {
        options: { epoch_tool_call_threshold: 2, epoch_full_tool_calls: 1, epoch_compacted_tool_calls: 1 },
      })
    ).boundaries;

  test('stand behind the system messages, the compacted region, the prompt before, and this one', async () => {
    expect(await boundariesOf([])).toEqual([]);
    expect(await boundariesOf([user('q')])).toEqual([1]);
    expect(await boundariesOf([system('s'), system('t'), user('q')])).toEqual([2, 3]);
    expect(await boundariesOf([system('s'), user('q'), assistant('a'), user('?')])).toEqual([1, 2, 4]);
    expect(await boundariesOf([system('s'), user('q'), call('a'), call('b'), output('b'), output('a')])).toEqual([
      1, 2, 6,
    ]);
    const chat = [system('s'), user('q'), ...history(4)];
    const { chat: prompt } = await preparePrompt(chat, 'shorten_tools_epoch', {
      options: { epoch_tool_call_threshold: 2, epoch_full_tool_calls: 1, epoch_compacted_tool_calls: 1 },
    });
    expect(rolesOf(prompt)).toBe('system user user call output call output call output call output');
    expect(await boundariesOf(chat, 'shorten_tools_epoch')).toEqual([1, 5, 9, 11]);
  });
});

describe('the schedule of growing epochs', () => {
  const input = {
    threshold: 4,
    initialSize: 2,
    epochsPerIncrease: 2,
    sizeIncrease: 1,
    repeatIncrease: 2,
    maxSize: 5,
    repeats: [],
  };

  test('grows with complete epochs, and at once with a repeat in its nominal part', () => {
    expect(epochSchedule({ ...input, total: 9 })).toEqual({
      epochIndex: 2,
      pinnedTotal: 8,
      newCalls: 1,
      nominalSize: 3,
      epochSize: 3,
      repeatDetected: false,
    });
    expect(epochSchedule({ ...input, total: 8, repeats: [5, 6] })).toMatchObject({
      epochIndex: 0,
      pinnedTotal: 4,
      epochSize: 4,
      repeatDetected: true,
    });
    expect(epochSchedule({ ...input, total: 7, repeats: [7] })).toMatchObject({
      epochIndex: 1,
      pinnedTotal: 6,
      nominalSize: 2,
      epochSize: 4,
    });
    expect(epochSchedule({ ...input, total: 30, epochsPerIncrease: 0, sizeIncrease: 3 })).toMatchObject({
      epochIndex: 12,
      pinnedTotal: 28,
      nominalSize: 2,
    });
  });

  test('is not shrunk by a maximum below its first size, and stands still below the threshold', () => {
    expect(epochSchedule({ ...input, total: 7, initialSize: 20, maxSize: 5 }).epochSize).toBe(20);
    expect(epochSchedule({ ...input, total: 3 })).toMatchObject({ epochIndex: 0, pinnedTotal: 4, newCalls: 0 });
  });
});
