import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, replay } from '@colophon/backends';
import { type Chat, printChat } from '@colophon/chat-format';
import { describe, expect, test } from 'vitest';
import { calling, counter, freshFolder, lines, metas, readChat, testContext } from './helpers.js';

const looks = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    text: `Look ${n}.`,
    ...calling([`c${n}`, 'look', { n }]),
    usage: { pt: n, ct: 1 },
  }));

describe('a list of replies', () => {
  test('answers each turn from the first one on, or by turn', async () => {
    const each = replay({ replies: ['one', 'two'] });
    expect((await ask('a', { backend: each })).text).toBe('one');
    expect((await ask(['a', { role: 'assistant', content: 'x' }, 'b'], { backend: each })).text).toBe('one');
    const turns = replay({ replies: [['one'], ['two']] });
    expect((await ask(['a', { role: 'assistant', content: 'x' }, 'b'], { backend: turns })).text).toBe('two');
  });

  test('says when it has ended', async () => {
    const backend = replay({ replies: [{ ...calling(['c1', 'look']) }] });
    const failure = ask('go', { backend, tools: [counter('look').tool] });
    await expect(failure).rejects.toThrow(
      'The script has no reply for this request: it is reply 2 of turn 1, and the script holds 1 turn, 1 reply in this one.',
    );
    await expect(failure).rejects.toMatchObject({ code: 'replay_ended', facts: { retryable: false } });
    expect(() => replay({} as never)).toThrow('give `chat` or `replies`');
  });

  test('streams text and reasoning in pieces that make up the whole', async () => {
    const text = 'Ä text with 🜚 signs, long enough for several pieces of it.';
    const pieces: string[] = [];
    await ask('go', {
      backend: replay({ replies: [{ text, reasoning: 'because of it' }], chunk: 7, delay: 1 }),
      onDelta: ({ kind, text: piece }) => pieces.push(kind === 'text' ? piece : ''),
    });
    expect(pieces.join('')).toBe(text);
    expect(pieces.filter(Boolean).length).toBe(Math.ceil([...text].length / 7));
  });

  test('stops at an abort between two pieces', async () => {
    const stop = new AbortController();
    const backend = replay({ replies: ['a long text'], chunk: 1, delay: 5 });
    const answer = await ask('go', { backend, signal: stop.signal, onDelta: () => stop.abort(new Error('enough')) });
    expect(answer).toMatchObject({ stopReason: 'aborted', reason: 'enough', messages: [] });
  });
});

describe('a recorded chat', () => {
  const record = async () => {
    const folder = freshFolder();
    const file = join(folder, 'recorded.chat');
    const options = { tools: [counter('look').tool], context: testContext(folder) };
    const first = [...looks(3), { text: 'First answer.', usage: { pt: 9, ct: 9 }, stopReason: 'length' as const }];
    const backend = replay({
      replies: [first, [{ text: 'Second answer.', reasoning: 'clear' }, { reasoning: 'nothing to say' }]],
    });
    await ask({ file, question: 'one' }, { ...options, backend });
    await ask({ file, question: 'two' }, { ...options, backend });
    return { folder, file, chat: readChat(file) };
  };

  test('is answered again as it was: texts, calls, usage, reasoning, stop reasons, turn by turn', async () => {
    const { folder, chat } = await record();
    const file = join(folder, 'again.chat');
    const options = { backend: replay({ chat }), tools: [counter('look').tool], context: testContext(folder) };
    await ask({ file, question: 'one' }, options);
    await ask({ file, question: 'whatever' }, options);
    const told = (of: Chat) => metas(of).map(({ pt, ct, stop_reason, reas }) => [pt, ct, stop_reason, reas]);
    expect(told(readChat(file))).toEqual(told(chat));
    expect(lines(readChat(file)).filter((line) => !line.startsWith('user'))).toEqual(
      lines(chat).filter((line) => !line.startsWith('user')),
    );
  });

  test('by name, from the file that an option names', async () => {
    const { folder } = await record();
    const context = testContext(folder);
    const chat = [{ role: 'backend', content: 'replay' }, { role: 'option', content: 'script recorded.chat' }, 'one'];
    expect((await ask(chat, { context, tools: [counter('look').tool] })).text).toBe('First answer.');
    expect((await ask('x', { backend: 'replay', script: ['Hello.'], context })).text).toBe('Hello.');
    await expect(ask('x', { backend: 'replay', context })).rejects.toThrow('give `script`');
    await expect(ask('x', { backend: 'replay', script: 'none.chat', context })).rejects.toThrow(
      "none.chat can't be read",
    );
  });

  test('hand-written, without metas', async () => {
    const folder = freshFolder();
    writeFileSync(
      join(folder, 'a.chat'),
      'user: one\nassistant: Hello.\nuser: two\nfunction_call: {"name":"look","id":"x"}\nfunction_call_output: {"id":"x","content":"1"}\nassistant: Bye.\n',
    );
    const backend = replay({ chat: readChat(join(folder, 'a.chat')) });
    expect((await ask('one', { backend })).text).toBe('Hello.');
    expect(
      (await ask(['one', { role: 'assistant', content: 'Hello.' }, 'two'], { backend, tools: [counter('look').tool] }))
        .text,
    ).toBe('Bye.');
  });
});

test('the position is that of the whole chat, however strategies shorten the prompt', async () => {
  const folder = freshFolder();
  const file = join(folder, 'long.chat');
  const total = 90;
  const backend = replay({ replies: [...looks(total), 'The end.'] });
  const options = {
    backend,
    tools: [counter('look', { run: () => 'x'.repeat(3_000) }).tool],
    context: testContext(folder),
    promptStrategies: 'shorten_tools',
    max_tool_chars: 10_000,
    max_tool_calls: 5,
    max_tool_outputs: 5,
  };
  const answer = await ask({ file, question: 'go' }, options);
  expect(answer.text).toBe('The end.');
  expect(metas(answer.messages)).toHaveLength(total + 1);
  writeFileSync(file, `${printChat(readChat(file).slice(0, 200))}\n`);
  expect((await ask({ file }, options)).text).toBe('The end.');
});
