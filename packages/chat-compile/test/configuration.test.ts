import { config, lookUpConfig, parseConfig } from '@colophon/chat-compile';
import { describe, expect, test } from 'vitest';
import { contextOn } from './support/compile.js';

const entries = parseConfig(`
# where models are asked
endpoint harbour            # no tokens
endpoint night ask task:bake
endpoint "two words" llm
endpoint first urgent::1
limit 10 tools
limit 20 tools
off false tools
none nil tools
secret env:A,B tools
`);

test('config: sets entries in the context and leaves the chat', () => {
  const context = contextOn();
  const say = (content: string) => ({ role: 'config', content });
  const rest = config(
    [say('endpoint harbour ask llm'), { role: 'user', content: 'a' }, say('note "two words"')],
    context,
  );
  expect(rest).toEqual([{ role: 'user', content: 'a' }]);
  expect(context.config).toEqual([
    { key: 'endpoint', value: 'harbour', tokens: ['ask', 'llm'] },
    { key: 'note', value: 'two words', tokens: [] },
  ]);
});

test('config: without a value is an error', () => {
  const at = { file: '/work/main.chat', line: 4 };
  expect(() => config([{ role: 'config', content: 'endpoint', at }], contextOn())).toThrow(
    /^\/work\/main\.chat:4: config: expected `key value token…`, got "endpoint"/,
  );
});

describe('files', () => {
  test('are read line by line, without comments', () => {
    expect(entries).toHaveLength(9);
    expect(entries[0]).toEqual({ key: 'endpoint', value: 'harbour', tokens: [] });
    expect(entries[2]).toEqual({ key: 'endpoint', value: 'two words', tokens: ['llm'] });
    expect(parseConfig('colour "#fff"\r\nit\'s "a')).toEqual([
      { key: 'colour', value: '#fff', tokens: [] },
      { key: "it's", value: '"a', tokens: [] },
    ]);
  });

  test('have an error with file and line', () => {
    expect(() => parseConfig('a 1\nb', '/home/etc/config')).toThrow(/^\/home\/etc\/config:2: /);
    expect(() => parseConfig('b')).toThrow(
      expect.objectContaining({ code: 'invalid_config', facts: expect.objectContaining({ at: { line: 1 } }) }),
    );
  });
});

describe('a lookup', () => {
  test.each([
    ['no token: the latest entry of the key', 'endpoint', [], 'first'],
    ['an ordinary token', 'endpoint', ['llm'], 'two words'],
    ['two of one priority: the one asked for first', 'endpoint', ['llm', 'ask'], 'two words'],
    ['a token of a task is stronger', 'endpoint', ['llm', 'task:bake'], 'night'],
    ['a priority that the entry gives is strongest', 'endpoint', ['task:bake', 'urgent'], 'first'],
    ['one token twice: the latest entry', 'limit', ['tools'], '20'],
    ['false', 'off', ['tools'], false],
    ['nil', 'none', ['tools'], undefined],
    ['a key that is not there', 'lost', ['tools'], 'default'],
    ['a token that no entry has falls back on the key', 'limit', ['other'], '20'],
    ['the environment, first name that is set', 'secret', [], 'b'],
  ])('%s', (_, key, tokens, expected) => {
    expect(lookUpConfig(entries, key, tokens, 'default', { B: 'b', A: '' })).toBe(expected);
  });

  test('without anything is undefined', () => {
    expect(lookUpConfig([], 'a')).toBeUndefined();
    expect(lookUpConfig(entries, 'secret')).toBeUndefined();
  });
});
