import type { Chat } from '@colophon/chat-format';
import { preparePrompt } from '@colophon/prompt-strategies';
import { describe, expect, test } from 'vitest';
import { call, history, idOf, isToolMessage, output, user } from './chats.js';

const options = {
  epoch_tool_call_threshold: 4,
  epoch_full_tool_calls: 1,
  epoch_compacted_tool_calls: 1,
  epoch_size: 4,
  epoch_increment_repeat_increase: 0,
  full_tool_outputs: 2,
  max_tool_calls: 2,
  max_tool_chars: 0,
};

const wholeIds = async (chat: Chat, strategy: string): Promise<string[]> => {
  const { chat: prompt } = await preparePrompt(chat, strategy, { options });
  const tools = prompt.filter((message) => isToolMessage(message) && message['compacted'] !== true);
  return [...new Set(tools.map(idOf))];
};

describe.each(['shorten_tools', 'shorten_tools_epoch', 'shorten_tools_epoch_increment'])('%s', (strategy) => {
  test('keeps the newest of identical calls whole: keys in any order at every depth, arguments as text, the id aside', async () => {
    const chat = [
      user('go'),
      ...[call('a', { x: { p: 1, q: [{ s: 1, t: 2 }] }, y: 2 }), output('a', 'first '.repeat(100))],
      ...[call('b', '{"y":2,"x":{"q":[{"t":2,"s":1}],"p":1}}'), output('b', 'second '.repeat(100))],
      ...[call('other', { x: 1 }), output('other', 'third '.repeat(100))],
      ...[call('named', { x: { p: 1, q: [{ s: 1, t: 2 }] }, y: 2 }, 'save'), output('named', 'fourth '.repeat(100))],
      ...history(9),
    ];
    const whole = await wholeIds(chat, strategy);
    expect(whole).toContain('b');
    expect(whole).not.toContain('a');
    expect(whole).not.toContain('other');
    expect(whole).not.toContain('named');
  });

  test('keeps the newest that has an output, too, where the newest was interrupted', async () => {
    const chat = [
      user('go'),
      call('a', { x: 1 }),
      output('a'),
      call('b', { x: 1 }),
      output('b'),
      call('c', { x: 1 }),
      user('?'),
      ...history(9),
    ];
    const whole = await wholeIds(chat, strategy);
    expect(whole).toContain('b');
    expect(whole).toContain('c');
    expect(whole).not.toContain('a');
  });

  test('keeps a group whole with the repeated call in it', async () => {
    const group = [call('a', { x: 1 }), call('b', { x: 2 }), output('b'), output('a')];
    const chat = [user('go'), call('z', { x: 2 }), output('z'), ...group, ...history(9)];
    expect(await wholeIds(chat, strategy)).toEqual(expect.arrayContaining(['a', 'b']));
  });
});

test('a repeat rewrites the prompt from the oldest message that it changes, once', async () => {
  const lines = async (chat: Chat): Promise<string[]> => {
    const { chat: prompt } = await preparePrompt(chat, 'shorten_tools_epoch', {
      options: { ...options, epoch_size: 20 },
    });
    return prompt.map((message) => JSON.stringify(message));
  };
  const ask = (id: string): Chat => [call(id, { x: 1 }), output(id, `${id} `.repeat(300))];
  const chat = [user('go'), ...history(1), ...ask('first'), ...ask('second'), ...history(6, 1)];
  const before = await lines(chat);
  const after = await lines([...chat, ...ask('third')]);
  const next = await lines([...chat, ...ask('third'), ...history(2, 7)]);
  const changed = before.findIndex((line, index) => line !== after[index]);
  expect(before[changed]).toMatch(/second second/);
  expect(after[changed]).toContain('compacted');
  expect(next.slice(0, after.length)).toEqual(after);
});
