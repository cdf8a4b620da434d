import { callMessages, pendingCalls, resumeCalls, runCalls } from '@colophon/tools';
import { expect, test } from 'vitest';
import { anyTool, envelope, exception, now } from './run.js';

const call = (id: string, name = 'dig') => ({ id, name, arguments: { site: id } });
const tools = [anyTool('dig', () => 'dug'), anyTool('look', () => 'seen', { idempotent: true })];

test('calls at the end of a chat without outputs are pending', async () => {
  const { outputs } = await runCalls([call('a')], tools, { now });
  const chat = [
    { role: 'user', content: 'go' },
    { role: 'assistant', content: 'I dig' },
    ...callMessages([call('a'), call('b'), call('c', 'look')]),
    outputs[0]!,
  ];
  expect(pendingCalls(chat)).toEqual([call('b'), call('c', 'look')]);
  expect(pendingCalls([...chat, { role: 'meta', content: 'pt=1' }])).toHaveLength(2);
});

test('calls that a later turn left behind are not', () => {
  const chat = [...callMessages([call('a')]), { role: 'user', content: 'never mind' }];
  expect(pendingCalls(chat)).toEqual([]);
  expect(pendingCalls([])).toEqual([]);
});

test('only calls of idempotent tools run again; the model is told of the others', () => {
  const { run, interrupted } = resumeCalls([call('a'), call('b', 'look'), call('c', 'gone')], tools, { now });
  expect(run).toEqual([call('b', 'look')]);
  expect(interrupted.map((message) => [envelope(message)['id'], envelope(message)['error']])).toEqual([
    ['a', 'missing'],
    ['c', 'missing'],
  ]);
  expect(exception(envelope(interrupted[0]))).toContain('interrupted');
});

test('calls that share an id share their fate', () => {
  const { run, interrupted } = resumeCalls([call('a', 'look'), call('a', 'dig')], tools, { now });
  expect(run).toEqual([]);
  expect(interrupted).toHaveLength(2);
});
