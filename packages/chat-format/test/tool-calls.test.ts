import { type Chat, pairToolCalls, parseCall, parseOutput, printCall, toolCallStatus } from '@colophon/chat-format';
import { expect, test } from 'vitest';

const call = (fields: object, role = 'function_call') => ({ role, content: JSON.stringify(fields) });
const output = (fields: object) => ({ role: 'function_call_output', content: JSON.stringify(fields) });
const status = (fields: object) => {
  const [pair] = pairToolCalls([call({ name: 'x', id: '1' }), output({ id: '1', ...fields })]);
  return pair && toolCallStatus(pair);
};

test('a call is read flat or nested, with any name of its id', () => {
  const fields = { name: 'tide', arguments: { port: 'Rye' }, id: 'c1' };
  expect(parseCall(printCall(fields))).toEqual({ ...fields, fields });
  expect(printCall(fields)).toBe('{"name":"tide","arguments":{"port":"Rye"},"id":"c1"}');
  expect(parseCall('{"call_id":"m1","function":{"name":"look","arguments":"{\\"q\\":1}"}}')).toMatchObject({
    id: 'm1',
    name: 'look',
    arguments: { q: 1 },
  });
  expect(parseCall('{"tool_call_id":7,"name":"x"}')).toMatchObject({ id: '7', arguments: {} });
  expect(parseCall('{"name":"x","arguments":"{\\"q\\": "}')).toMatchObject({ name: 'x', arguments: '{"q": ' });
  expect(parseCall({ name: 'x', arguments: null })).toMatchObject({ name: 'x', arguments: {} });
});

test('what is no call or no output is undefined, never a crash', () => {
  for (const content of [
    '',
    'text',
    '[]',
    '"x"',
    'null',
    '{"name":',
    '{"id":"1"}',
    '{"name":{}}',
    null,
    undefined,
    7,
    [],
  ]) {
    expect(parseCall(content)).toBeUndefined();
  }
  for (const content of ['', 'text', '[]', 'null', '{"id":', null]) expect(parseOutput(content)).toBeUndefined();
});

test('an output tells what its envelope holds', () => {
  const fields = { name: 'x', content: 'y', id: '1', error: 'truncated', step: 'A/b', meta: null, timestamp: 't' };
  expect(parseOutput(JSON.stringify(fields))).toEqual({
    ...{ id: '1', name: 'x', content: 'y', error: 'truncated', step: 'A/b', meta: null },
    fields,
  });
  expect(parseOutput('{}')).toEqual({ content: undefined, fields: {} });
});

test('calls pair with outputs by id, the oldest first', () => {
  const chat: Chat = [
    output({ id: 'same', content: 'before any call' }),
    call({ name: 'a', arguments: { n: 1 }, id: 'same' }),
    call({ name: 'a', arguments: { n: 2 }, id: 'same' }),
    call({ name: 'b', id: 'x' }, 'mcp_call'),
    output({ tool_call_id: 'x', content: 'hit' }),
    output({ id: 'same', content: 'one' }),
    { role: 'function_call_output', content: 'cut' },
    output({ id: 'nobody', content: '' }),
    call({ name: 'c' }),
    { role: 'function_call', content: 'cut' },
  ];
  expect(pairToolCalls(chat)).toMatchObject([
    { callId: 'same', arguments: { n: 1 }, callAddress: 1, outputAddress: 5, output: 'one' },
    { callId: 'same', arguments: { n: 2 }, callAddress: 2, outputAddress: null, output: undefined },
    { callId: 'x', role: 'mcp_call', callAddress: 3, outputAddress: 4, output: 'hit', envelope: { tool_call_id: 'x' } },
    { callId: null, name: 'c', callAddress: 8, outputAddress: null },
  ]);
  expect(pairToolCalls(chat, '/a.chat').map((pair) => [pair.callAddress, pair.outputAddress])).toEqual([
    [
      ['/a.chat', 1],
      ['/a.chat', 5],
    ],
    [['/a.chat', 2], null],
    [
      ['/a.chat', 3],
      ['/a.chat', 4],
    ],
    [['/a.chat', 8], null],
  ]);
});

test('the status of a call', () => {
  expect(status({ content: 'fine' })).toEqual({ success: true, reason: 'output' });
  expect(status({ content: '{"exit_status":0}' })).toEqual({ success: true, reason: 'exit_status', exitStatus: 0 });
  expect(status({ content: '{"exit_status":3}' })).toEqual({ success: false, reason: 'exit_status', exitStatus: 3 });
  expect(status({ content: { exit_status: 3 } })).toEqual({ success: false, reason: 'exit_status', exitStatus: 3 });
  expect(status({ content: '{"exception":"denied"}' })).toEqual({
    success: false,
    reason: 'exception',
    exception: 'denied',
  });
  expect(status({ content: '{"exception":{"code":1}}' })).toMatchObject({ exception: '{"code":1}' });
  expect(status({ content: '{"exception":null,"value":1}' })).toEqual({ success: true, reason: 'output' });
  expect(status({ content: '["exception"]' })).toEqual({ success: true, reason: 'output' });
  expect(status({ content: 'x', error: 'timeout' })).toEqual({ success: false, reason: 'error', error: 'timeout' });
  expect(status({ content: 'x', error: 'truncated' })).toEqual({ success: true, reason: 'output', error: 'truncated' });
  expect(status({})).toEqual({ success: true, reason: 'output' });
  expect(toolCallStatus({ output: undefined, outputAddress: null })).toEqual({
    success: null,
    reason: 'missing_output',
  });
});
