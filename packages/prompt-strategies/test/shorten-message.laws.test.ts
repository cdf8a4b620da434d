import { createHash } from 'node:crypto';
import { preparePrompt } from '@colophon/prompt-strategies';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { call, isToolMessage, output, user } from './chats.js';

const isFull = process.env['COLOPHON_FUZZ'] === 'full';
const runs = isFull ? 100_000 : 500;
vi.setConfig({ testTimeout: isFull ? 3_600_000 : 30_000 });

const shortenAll = { full_tool_outputs: 0, max_tool_calls: 9, max_tool_chars: 0 };

/** A pair as `shorten_tools` shortens it. */
const shorten = async (argument: unknown, content: unknown, more: object = {}) => {
  const { chat } = await preparePrompt(
    [user('go'), call('c1', argument), output('c1', content, more)],
    'shorten_tools',
    {
      options: shortenAll,
    },
  );
  const [shortCall, shortOutput] = chat.filter(isToolMessage).map((message) => ({
    message,
    fields: JSON.parse(message.content) as {
      id: string;
      name: string;
      arguments?: unknown;
      content?: string;
      step?: string;
    },
  }));
  return { call: shortCall!, output: shortOutput! };
};

const strings = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(strings)
      : [];

const shape = (value: unknown): unknown =>
  typeof value === 'string'
    ? 'text'
    : Array.isArray(value)
      ? value.map(shape)
      : typeof value === 'object' && value !== null
        ? Object.entries(value).map(([key, item]) => [key, shape(item)])
        : value;

const longText = fc.string({ unit: 'binary', minLength: 401, maxLength: 900 });
const argumentValue = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), fc.oneof(longText, fc.jsonValue({ maxDepth: 1 }))),
);

describe('a shortened message', () => {
  test('keeps id and name, says what it is, and shows both ends without parting a character', async () => {
    await fc.assert(
      fc.asyncProperty(longText, fc.option(fc.constant('Flow/task/Default_1')), async (text, step) => {
        const { message, fields } = (await shorten({}, text, step === null ? {} : { step })).output;
        expect(message['compacted']).toBe(true);
        expect(fields).toMatchObject({ id: 'c1', name: 'load', ...(step === null ? {} : { step }) });
        const [account = '', preview = ''] = [
          fields.content?.split('\n', 1)[0],
          fields.content?.slice(fields.content.indexOf('\n') + 1),
        ];
        expect(account).toMatch(/historical account, compacted/i);
        expect(account).toContain(`${text.length} characters`);
        expect(account).toMatch(/must not be executed or copied/);
        expect(account.includes('Flow/task/Default_1')).toBe(step !== null);
        expect(preview.length).toBeLessThanOrEqual(400);
        const digest = createHash('sha256').update(text).digest('hex').slice(0, 8);
        const [head = '', tail = ''] = preview.split(` … [${text.length} characters, sha256 ${digest}] … `);
        expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
        expect(Math.min(head.length, tail.length)).toBeGreaterThan(150);
        expect(preview.isWellFormed()).toBe(text.isWellFormed());
      }),
      { numRuns: runs },
    );
  });

  test('keeps the shape of the arguments, and every string that is short', async () => {
    await fc.assert(
      fc.asyncProperty(argumentValue, async (argument) => {
        const { message, fields } = (await shorten(argument, 'short')).call;
        const stored = JSON.parse(call('c1', argument).content) as { arguments?: unknown };
        const before = strings(stored.arguments);
        if (before.every((text) => text.length <= 200)) {
          expect(message).toEqual(call('c1', argument));
          return;
        }
        expect(message['compacted']).toBe(true);
        expect(Object.keys(fields)).toEqual(['name', 'arguments', 'id']);
        expect(shape(fields.arguments)).toEqual(shape(stored.arguments));
        for (const [index, text] of strings(fields.arguments).entries()) {
          const original = before[index]!;
          if (original.length <= 200) expect(text).toBe(original);
          else {
            expect(text).toContain(`Historical account, compacted for context from ${original.length} characters`);
            expect(text.length).toBeLessThanOrEqual(320);
          }
        }
      }),
      { numRuns: runs },
    );
  });

  test('leaves what is at the limits as it is, and cuts what is one character longer', async () => {
    const at = await shorten({ text: 'a'.repeat(200) }, 'o'.repeat(400));
    expect([at.call.message, at.output.message]).toEqual([
      call('c1', { text: 'a'.repeat(200) }),
      output('c1', 'o'.repeat(400)),
    ]);
    const over = await shorten({ text: 'a'.repeat(201) }, 'o'.repeat(401));
    expect([over.call.message['compacted'], over.output.message['compacted']]).toEqual([true, true]);
  });

  test('does not need arguments or content to be text, or JSON', async () => {
    expect((await shorten('{broken '.repeat(60), 'x')).call.fields.arguments).toContain('480 characters');
    expect((await shorten({}, { list: 'item '.repeat(100) })).output.fields.content).toContain('511 characters');
    expect((await shorten({}, null)).output.message).toEqual(output('c1', null));
  });

  test('survives arguments nested deeper than the stack', async () => {
    const deep = `${'['.repeat(100_000)}"${'x'.repeat(300)}"${']'.repeat(100_000)}`;
    const chat = [
      user('go'),
      { role: 'function_call', content: `{"name":"load","arguments":${deep},"id":"c1"}` },
      output('c1', 'ok'),
    ];
    const { chat: prompt } = await preparePrompt([...chat, ...chat], 'shorten_tools', { options: shortenAll });
    const calls = prompt.filter(({ role }) => role === 'function_call');
    expect(calls.map((message) => message.content.includes('Historical account'))).toEqual([true, false]);
  });
});
