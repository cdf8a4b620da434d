import { clean, cleanRoles, compileChat, pull, purge, takeOptions } from '@colophon/chat-compile';
import { describe, expect, test } from 'vitest';
import { contextOn, pairsOf } from './support/compile.js';

const say = (role: string, content: string) => ({ role, content });
const chat = [
  say('previous_response_id', 'r1'),
  say('user', 'a'),
  say('previous_response_id', 'r2'),
  say('assistant', ''),
  say('skip', 'note'),
  say('user', 'b'),
];

test('drops empty messages, skip, and every response id but the last', () => {
  expect(clean(chat, contextOn())).toEqual([say('user', 'a'), say('previous_response_id', 'r2'), say('user', 'b')]);
});

test('a directive may be empty', () => {
  const empty = [say('clear_tools', ''), say('user', ' \n'), say('format', ''), say('note', '')];
  expect(clean(empty, contextOn())).toEqual([say('clear_tools', ''), say('format', '')]);
});

test('cleanRoles drops what no prompt holds, or the roles that are named', () => {
  expect(cleanRoles(chat)).toEqual([say('user', 'a'), say('user', 'b')]);
  expect(cleanRoles(chat, ['user'])).toHaveLength(3);
});

test('purge and pull', () => {
  expect(purge(chat)).toHaveLength(4);
  expect(pull(chat)).toEqual({ chat: purge(chat), id: 'r2' });
  expect(pull([say('user', 'a')])).toEqual({ chat: [say('user', 'a')] });
});

describe('the last id is found by takeOptions, with its place', () => {
  test('after compiling', async () => {
    const compiled = await compileChat(chat, contextOn());
    const taken = await takeOptions(compiled);
    expect(taken).toMatchObject({ options: { previous_response_id: 'r2' }, continuesAt: 1 });
    expect(pairsOf(taken.chat)).toEqual([
      ['user', 'a'],
      ['user', 'b'],
    ]);
  });

  test('and left out where the chat says so', async () => {
    const taken = await takeOptions([...chat, say('option', 'previous_response false')]);
    expect(taken.options).toEqual({ previous_response: false });
    expect(taken).not.toHaveProperty('continuesAt');
  });
});
