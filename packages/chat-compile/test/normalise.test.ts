import { normalise } from '@colophon/chat-compile';
import { describe, expect, test } from 'vitest';

const normal = (...messages: unknown[]) => normalise(messages);

class Foreign {
  role = 'user';
  content = 'a';
  get extra() {
    return 1;
  }
}

test.each([
  ['a text', 'hi', { role: 'user', content: 'hi' }],
  ['a role that is a symbol', { role: Symbol('system'), content: 'a' }, { role: 'system', content: 'a' }],
  [
    'a map',
    new Map([
      ['role', 'user'],
      ['content', 'a'],
    ]),
    { role: 'user', content: 'a' },
  ],
  [
    'a map of symbols',
    new Map<symbol, unknown>([
      [Symbol('role'), Symbol('user')],
      [Symbol('content'), 'a'],
    ]),
    { role: 'user', content: 'a' },
  ],
  ['another prototype', new Foreign(), { role: 'user', content: 'a' }],
  ['no prototype', Object.assign(Object.create(null), { role: 'user', content: 'a' }), { role: 'user', content: 'a' }],
  [
    'content that is data',
    { role: 'user', content: [{ type: 'text' }] },
    { role: 'user', content: '[{"type":"text"}]' },
  ],
  ['a number as content', { role: 'user', content: 5 }, { role: 'user', content: '5' }],
  ['no content', { role: 'clear', content: null }, { role: 'clear', content: '' }],
  [
    'other keys',
    { role: 'user', content: 'a', at: { line: 2 }, note: 1 },
    { role: 'user', content: 'a', at: { line: 2 }, note: 1 },
  ],
])('%s', (_, given, expected) => {
  const [message] = normal(given) as [object];
  expect(message).toEqual(expected);
  expect(Object.getPrototypeOf(message)).toBe(Object.prototype);
});

test('content nested deeper than the stack is an error, as is a hole', () => {
  let deep: unknown[] = [];
  for (let depth = 0; depth < 100_000; depth++) deep = [deep];
  expect(() => normal({ role: 'user', content: deep })).toThrow(expect.objectContaining({ code: 'invalid_message' }));
  expect(() => normalise(new Array(2))).toThrow(/got undefined at index 0/);
});

test.each(['2031-04-02', { file: 'a' }, { line: '1' }, { line: 1, file: 5 }, null])(
  'an `at` that is no position is dropped: %j',
  (at) => {
    expect(normal({ role: 'user', content: 'a', at })).toEqual([{ role: 'user', content: 'a' }]);
  },
);

test('a key that is a prototype stays a key', () => {
  const [message] = normal(
    new Map([
      ['role', 'user'],
      ['content', ''],
      ['__proto__', 'x'],
    ]),
  );
  expect(Object.getPrototypeOf(message)).toBe(Object.prototype);
  expect(Object.hasOwn(message as object, '__proto__')).toBe(true);
});

const endless: Record<string, unknown> = {};
endless['self'] = endless;

describe('what is no message is an error that names its place', () => {
  test.each([
    [7, /got number at index 1/],
    [null, /got null at index 1/],
    [['role'], /got an array at index 1/],
    [{ content: 'a' }, /got a message without a role at index 1/],
    [{ role: 5, content: 'a' }, /without a role/],
    [{ role: 'user', content: { big: 5n } }, /can not be read \(.*BigInt\) at index 1/],
    [{ role: 'user', content: endless }, /can not be read \(.*circular/],
    [{ role: 'user', content: { toJSON: () => undefined } }, /its content has no text/],
    [{ role: 'user', content: () => 1 }, /its content has no text/],
    [new Proxy({}, { ownKeys: () => Object.keys(null as never) }), /can not be read/],
    [undefined, /got undefined at index 1/],
  ])('case %#', (given, message) => {
    expect(() => normal('fine', given)).toThrow(message);
    expect(() => normal('fine', given)).toThrow(expect.objectContaining({ code: 'invalid_message' }));
  });
});
