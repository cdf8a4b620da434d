import { clear } from '@colophon/chat-compile';
import type { Chat } from '@colophon/chat-format';
import { describe, expect, test } from 'vitest';
import { contextOn } from './support/compile.js';

const say = (role: string, content = 'x') => ({ role, content });
const call = (id: string) => say('function_call', JSON.stringify({ name: 'f', arguments: {}, id }));
const output = (id: string) => say('function_call_output', JSON.stringify({ id, content: 'ok' }));
const cleared = (...chat: Chat) => clear(chat, contextOn());

test('the last clear drops everything up to itself', () => {
  expect(cleared(say('system'), say('clear'), say('user', 'a'), say('clear', ''), say('user', 'b'))).toEqual([
    say('user', 'b'),
  ]);
  expect(cleared(say('user', 'a'))).toEqual([say('user', 'a')]);
  expect(cleared(say('user'), say('clear'))).toEqual([]);
});

describe('clear_tools', () => {
  test('drops the calls and outputs before it and stays', () => {
    const chat = [
      say('user'),
      call('1'),
      output('1'),
      say('mcp_call', '{"name":"m","id":"2"}'),
      say('meta'),
      say('clear_tools', ''),
      call('3'),
      output('3'),
    ];
    expect(cleared(...chat)).toEqual([say('user'), say('meta'), say('clear_tools', ''), call('3'), output('3')]);
  });

  test('takes pairs whole: an output behind it goes with its call', () => {
    const chat = [call('1'), call('2'), output('2'), say('clear_tools'), output('1'), call('3'), output('3')];
    expect(cleared(...chat)).toEqual([say('clear_tools'), call('3'), output('3')]);
  });

  test('keeps a later pair with the same id', () => {
    const chat = [call('1'), output('1'), say('clear_tools'), call('1'), output('1')];
    expect(cleared(...chat)).toEqual([say('clear_tools'), call('1'), output('1')]);
  });

  test('calls and outputs that can not be read go too', () => {
    expect(cleared(say('function_call', 'torn'), say('function_call_output', 'torn'), say('clear_tools'))).toEqual([
      say('clear_tools'),
    ]);
  });

  test('is off where it says false; the last one that is on counts', () => {
    const pair = [call('1'), output('1')];
    expect(cleared(...pair, say('clear_tools', 'false'))).toEqual([...pair, say('clear_tools', 'false')]);
    expect(cleared(...pair, say('clear_tools'), call('2'), say('clear_tools', ' false'))).toEqual([
      say('clear_tools'),
      call('2'),
      say('clear_tools', ' false'),
    ]);
  });
});

describe('clean_role and clear_role', () => {
  test('name roles that are removed, wherever they stand', () => {
    const chat = [
      say('note'),
      say('clean_role', 'note'),
      say('user'),
      say('note'),
      say('clear_role', 'meta, system'),
      say('meta'),
      say('system'),
    ];
    expect(cleared(...chat)).toEqual([say('user')]);
  });

  test('name nothing, or no role: an error', () => {
    expect(() => cleared(say('clean_role', ' '))).toThrow(expect.objectContaining({ code: 'empty_directive' }));
    expect(() => cleared(say('clear_role', 'user Not-A-Role'))).toThrow(
      expect.objectContaining({ code: 'invalid_role', message: expect.stringContaining('"Not-A-Role"') }),
    );
  });
});
