import { readdirSync, readFileSync } from 'node:fs';
import { ColophonError, checkChat, isDirective, parseChat, printChat, roles } from '@colophon/chat-format';
import { describe, expect, it } from 'vitest';

const cases = new URL('./cases/', import.meta.url);

describe('a chat text', () => {
  for (const name of readdirSync(cases).sort()) {
    const file = (part: string) => new URL(`${name}/${part}`, cases).pathname;
    const text = readFileSync(file('input.chat'), 'utf8');

    it(`is read, printed and checked: ${name}`, async () => {
      const chat = parseChat(text, { file: 'input.chat' });
      const rows = chat.map(({ role, content, at }) => JSON.stringify([at?.line, role, content]));
      const problems = checkChat(text).map(({ line, code, message, fix }) =>
        JSON.stringify([line, code, message, fix]),
      );
      await expect(rows.map((row) => `${row}\n`).join('')).toMatchFileSnapshot(file('expected.messages'));
      await expect(printChat(chat)).toMatchFileSnapshot(file('expected.chat'));
      await expect(problems.map((row) => `${row}\n`).join('')).toMatchFileSnapshot(file('expected.problems'));
      expect(parseChat(printChat(chat))).toEqual(parseChat(text));
    });
  }
});

/** What is printed, and reads back as the chat. */
const same = (text: string, chat: { role: string; content: string }[]) => {
  expect(printChat(chat)).toBe(text);
  expect(parseChat(text)).toEqual(chat);
};

describe('printing', () => {
  it('puts directives and evidence on one line, where one line holds them', () => {
    same('\noption: a 1\n\nmeta: pt=1\n\nuser:\n\nhi\n\nclear:', [
      { role: 'option', content: 'a 1' },
      { role: 'meta', content: 'pt=1' },
      { role: 'user', content: 'hi' },
      { role: 'clear', content: '' },
    ]);
    same('\noption:\n\na\nb\n\nmeta:\n\n\\&\n x\n\nmeta:\n\n\\&', [
      { role: 'option', content: 'a\nb' },
      { role: 'meta', content: ' x' },
      { role: 'meta', content: '' },
    ]);
  });

  it('leaves balanced fences and tags as they are, and escapes what stands open', () => {
    const fence = '```\nuser: x\n\\&\n```';
    same(`\nuser:\n\n${fence}`, [{ role: 'user', content: fence }]);
    same('\nuser:\n\n<a>\nuser: x\n</a>\n\\<a>\n\\```', [{ role: 'user', content: '<a>\nuser: x\n</a>\n<a>\n```' }]);
    same('\nuser:\n\n\\[[\n\\user: x\n]]', [{ role: 'user', content: '[[\nuser: x\n]]' }]);
    same('\nuser:\n\n[[1,\n 2]]', [{ role: 'user', content: '[[1,\n 2]]' }]);
    same('\nuser:\n\n\\$:-- ls {{{\n$:-- ls }}}', [{ role: 'user', content: '$:-- ls {{{\n$:-- ls }}}' }]);
  });

  it('prints data as JSON and nothing as an empty content', () => {
    const printed = printChat([
      { role: 'function_call', content: { name: 'a', list: [1, null] } },
      { role: 'user', content: null },
      { role: 'clear', content: undefined },
      { role: 'user', content: 12 },
    ]);
    expect(parseChat(printed)).toEqual([
      { role: 'function_call', content: '{"name":"a","list":[1,null]}' },
      { role: 'user', content: '' },
      { role: 'clear', content: '' },
      { role: 'user', content: '12' },
    ]);
  });

  it('prints no chat as no text, and no key but role and content', () => {
    expect(printChat([])).toBe('');
    expect(printChat([{ role: 'user', content: 'x', at: { line: 3 }, secret: 1 }])).toBe('\nuser:\n\nx');
  });

  it.each(['', 'User', '1a', 'a-b', 'a b', '_a', 'a:', 'ü', 'user\n'])(
    'names a role that cannot be written: %j',
    (role) => {
      expect(() => printChat([{ role, content: 'x', at: { file: 'f.chat', line: 3 } }])).toThrow(
        expect.objectContaining({ code: 'bad_role', message: expect.stringContaining(JSON.stringify(role)) }),
      );
      expect(() => printChat([{ role, content: 'x', at: { file: 'f.chat', line: 3 } }])).toThrow(/^f\.chat:3: /);
    },
  );

  it('names a content that cannot be written', () => {
    const circle: unknown[] = [];
    circle.push(circle);
    for (const content of ['half \ud800', '\udc00', circle, () => 1, Symbol('x'), 1n]) {
      expect(() => printChat([{ role: 'user', content }])).toThrow(ColophonError);
      expect(() => printChat([{ role: 'user', content }])).toThrow(
        /the content of this user message cannot be written/,
      );
    }
  });
});

describe('reading', () => {
  it('gives text before the first header the role that is asked for, and text behind a one-line message to the user', () => {
    expect(parseChat('a\noption: b\nc', { role: 'system' }).map(({ role }) => role)).toEqual([
      'system',
      'option',
      'user',
    ]);
  });

  it('tells the place of each message where it knows the file', () => {
    const chat = parseChat('\n\n  text\n```\nuser: x\n```\n\nuser: y\nz\nassistant:\n\n\nw', { file: 'a.chat' });
    expect(chat.map(({ at }) => at)).toEqual([3, 8, 9, 10].map((line) => ({ file: 'a.chat', line })));
    expect(parseChat('user: x')[0]).not.toHaveProperty('at');
  });
});

describe('the roles', () => {
  it('are directives but for conversation, tools and evidence', () => {
    const others = Object.keys(roles).filter((role) => !isDirective(role));
    expect(others).toEqual([
      ...[
        'system',
        'user',
        'assistant',
        'function_call',
        'function_call_output',
        'mcp_call',
        'meta',
        'previous_response_id',
      ],
    ]);
    expect(['constructor', 'else', '__proto__', ''].filter(isDirective)).toEqual([]);
  });
});
