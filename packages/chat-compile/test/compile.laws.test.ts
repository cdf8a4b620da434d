import {
  clean,
  clear,
  compileChat,
  config,
  type Files,
  files,
  imports,
  normalise,
  stages,
  takeOptions,
} from '@colophon/chat-compile';
import { type Chat, type Message, pairToolCalls, parseChat, printChat } from '@colophon/chat-format';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { contextOn, pairsOf } from './support/compile.js';

const runs = process.env['COLOPHON_FUZZ'] === 'full' ? 100_000 : 3_000;
const timeout = 900_000;

const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'exec_task: W t',
        'assistant: no',
        'import: a.chat',
        '</file>',
        '<file name="x">',
        '```',
        '[[',
        ']]',
        '\\&',
        'clear:',
        'x:-- a {{{',
        '',
      ),
      fc.string({ unit: 'grapheme', maxLength: 10 }),
    ),
    { maxLength: 6 },
  )
  .map((lines) => lines.join('\n').replaceAll('\0', ''));

test(
  'what a file, a job or an import holds is content: it makes no message and no role',
  async () => {
    await fc.assert(
      fc.asyncProperty(hostile, hostile, async (text, name) => {
        const file = `/work/${name.replace(/[\n/]/g, '_').trim() || 'a'}x`;
        const context = contextOn({ [file]: text });
        const chat = await compileChat([{ role: 'file', content: file }, 'go'], context);
        expect(chat.map(({ role }) => role)).toEqual(['user', 'user']);
        expect(chat[0]?.content.endsWith(`\n${text}\n</file>`)).toBe(true);
        expect(pairsOf(parseChat(printChat(chat)))).toEqual(pairsOf(chat));
      }),
      { numRuns: runs },
    );
  },
  timeout,
);

const message = fc.oneof(
  fc.constantFrom<Message>(
    { role: 'user', content: 'a' },
    { role: 'assistant', content: 'b' },
    { role: 'assistant', content: '' },
    { role: 'skip', content: 'x' },
    { role: 'clear_tools', content: '' },
    { role: 'clear_tools', content: 'false' },
    { role: 'previous_response_id', content: 'r' },
    { role: 'option', content: 'a 1' },
  ),
  fc
    .record({ id: fc.constantFrom('1', '2', '3'), call: fc.boolean() })
    .map(
      ({ id, call }): Message =>
        call
          ? { role: 'function_call', content: JSON.stringify({ name: 'f', arguments: {}, id }) }
          : { role: 'function_call_output', content: JSON.stringify({ id, content: '' }) },
    ),
);

describe('any chat', () => {
  test(
    'keeps its pairs whole, its order and its input; compiling twice is compiling once',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(message, { maxLength: 20 }), async (chat) => {
          const before = structuredClone(chat);
          const once = await compileChat(chat, contextOn());
          expect(chat).toEqual(before);
          expect(pairsOf(await compileChat(once, contextOn()))).toEqual(pairsOf(once));
          const { options, chat: rest } = await takeOptions(once);
          expect(await takeOptions(rest)).toEqual({ options: {}, chat: rest });
          expect(Object.hasOwn(options, 'previous_response_id')).toBe(
            chat.some(({ role }) => role === 'previous_response_id'),
          );
          // A pair that was complete is complete or gone: no half of one is left alone.
          const alone = (messages: Chat) => {
            const pairs = pairToolCalls(messages);
            const answered = pairs.filter(({ outputAddress }) => outputAddress !== null).length;
            const outputs = messages.filter(({ role }) => role === 'function_call_output').length;
            return { calls: pairs.length - answered, outputs: outputs - answered };
          };
          expect(alone(once).calls).toBeLessThanOrEqual(alone(chat).calls);
          expect(alone(once).outputs).toBeLessThanOrEqual(alone(chat).outputs);
        }),
        { numRuns: runs },
      );
    },
    timeout,
  );
});

/** Messages that count how often they are looked at. */
const counted = (length: number, count: { reads: number }): Chat =>
  Array.from({ length }, (_, index) => {
    const plain: Message[] = [
      { role: 'user', content: 'a' },
      { role: 'function_call', content: `{"name":"f","arguments":{},"id":"${index - (index % 3)}"}` },
      { role: 'function_call_output', content: `{"id":"${index - (index % 3)}","content":""}` },
      { role: 'clear_tools', content: 'true' },
      { role: 'clean_role', content: 'note' },
      { role: 'config', content: 'a 1' },
      { role: 'allow_path', content: `/${index}` },
      { role: 'previous_response_id', content: 'r' },
      { role: 'option', content: `o${index} 1` },
      { role: 'import', content: 'b.chat' },
      { role: 'meta', content: 'job=x' },
    ];
    return new Proxy(plain[index % plain.length] as Message, {
      get: (target, key) => {
        count.reads++;
        return target[key as string];
      },
    });
  });

test('each stage looks at a message a fixed number of times, however long the chat is', async () => {
  const looks = async (stage: (chat: Chat, context: ReturnType<typeof contextOn>) => unknown, length: number) => {
    const count = { reads: 0 };
    await stage(counted(length, count), contextOn({ '/work/b.chat': 'user: b' }));
    return count.reads;
  };
  for (const stage of [normalise, imports, clear, clean, config, files, (chat: Chat) => takeOptions(chat)]) {
    const [small, large] = [await looks(stage, 1_100), await looks(stage, 11_000)];
    expect(large).toBeLessThanOrEqual(small * 10 + 20);
  }
});

test('a long chat asks the disk once for each name, and not for messages', async () => {
  let questions = 0;
  const base = contextOn({ '/work/b.chat': 'user: b' });
  const counting: Files = {
    ...base.files,
    stat: (path) => {
      questions++;
      return base.files.stat(path);
    },
  };
  const text = 'user: a\nassistant: b\n'.repeat(50_000);
  const chat = await compileChat(`${text}import: b.chat`, { ...base, files: counting });
  expect(chat).toHaveLength(100_001);
  expect(questions).toBe(1);
  expect(stages).toHaveLength(9);
});
