import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, replay } from '@colophon/backends';
import { type Chat, printChat } from '@colophon/chat-format';
import { describe, expect, test } from 'vitest';
import { calling, counter, freshFolder, lines, metas, readChat, spy, testContext } from './helpers.js';

const user = { role: 'user', content: 'go' };
const call = (id: string, name = 'look') => ({
  role: 'function_call',
  content: JSON.stringify({ name, arguments: {}, id }),
});
const output = (id: string) => ({
  role: 'function_call_output',
  content: JSON.stringify({ name: 'look', content: `of ${id}`, id }),
});
const said = (content: string) => ({ role: 'assistant', content });
const meta = (fields: string) => ({ role: 'meta', content: `inference_id=old ${fields}` });

const resume = async (chat: Chat, options: Parameters<typeof ask>[1] = {}, question?: string) => {
  const folder = freshFolder();
  const file = join(folder, 'a.chat');
  writeFileSync(file, `${printChat(chat)}\n`);
  const { backend, asked } = spy(() => 'done');
  const input = question === undefined ? { file } : { file, question };
  const answer = await ask(input, { backend, context: testContext(folder), ...options });
  return { answer, asked, after: lines(readChat(file)).slice(lines(chat).length), file };
};

describe('a chat file without new text', () => {
  test('that ends in a user message is answered', async () => {
    const { after } = await resume([user]);
    expect(after).toEqual(['assistant done']);
  });

  test('that ends in outputs goes on', async () => {
    const { after } = await resume([user, call('c1'), output('c1')]);
    expect(after).toEqual(['assistant done']);
  });

  test('that ends in an answer is returned as it is, without a request', async () => {
    const { answer, asked, after } = await resume([user, meta('stop_reason=stop'), said('all well')]);
    expect(answer).toMatchObject({ text: 'all well', stopReason: 'stop', messages: [], tokens: {} });
    expect([asked, after]).toEqual([[], []]);
  });

  test('options behind an answer are no question', async () => {
    const { answer, asked } = await resume([user, said('all well'), { role: 'model', content: 'other' }]);
    expect(answer.text).toBe('all well');
    expect(asked).toEqual([]);
  });

  test('a cut, refused, filtered or empty reply is a reply: it is returned with its stop reason', async () => {
    for (const stopReason of ['length', 'refusal', 'content_filter']) {
      const { answer, asked } = await resume([user, meta(`stop_reason=${stopReason}`), said('I was about')]);
      expect(answer).toMatchObject({ text: 'I was about', stopReason });
      expect(asked).toEqual([]);
    }
    const { answer } = await resume([user, meta('stop_reason=stop orphan=true')]);
    expect(answer).toMatchObject({ text: '', stopReason: 'stop' });
  });

  test('new text goes on from any of them', async () => {
    const { after, asked } = await resume([user, meta('stop_reason=length'), said('I was about')], {}, 'go on');
    expect(after).toEqual(['user go on', 'assistant done']);
    expect(lines(asked[0]!.chat)).toEqual(['user go', 'assistant I was about', 'user go on']);
  });
});

describe('calls without outputs', () => {
  test('run again where the tool is idempotent, else the model is told', async () => {
    const look = counter('look', { idempotent: true });
    const pay = counter('pay');
    const { after, asked } = await resume([user, meta('stop_reason=tool_calls'), call('c1'), call('c2', 'pay')], {
      tools: [look.tool, pay.tool],
    });
    expect([look.ran.length, pay.ran.length]).toEqual([1, 0]);
    expect(after).toEqual([
      expect.stringMatching(/^output c2 missing .*interrupted.*was not run again/),
      'output c1 ok look 1',
      'assistant done',
    ]);
    expect(lines(asked[0]!.chat).filter((line) => line.startsWith('output'))).toHaveLength(2);
  });

  test('a half round is completed: what has an output stays', async () => {
    const look = counter('look', { idempotent: true });
    const { after } = await resume([user, call('c1'), call('c2'), call('c3'), output('c2')], { tools: [look.tool] });
    expect(after.slice(0, 2).sort()).toEqual(['output c1 ok look 1', 'output c3 ok look 2']);
    expect(after).toHaveLength(3);
  });

  test('are settled before a new question', async () => {
    const { after, asked } = await resume([user, call('c1')], {}, 'never mind');
    expect(after).toEqual([expect.stringMatching(/^output c1 missing/), 'user never mind', 'assistant done']);
    expect(lines(asked[0]!.chat).map((line) => line.split(' ')[0])).toEqual(['user', 'call', 'output', 'user']);
  });

  test('that a later turn left behind are not touched, and sent with an output', async () => {
    const { after, asked } = await resume([user, call('c1'), { role: 'user', content: 'by hand' }]);
    expect(after).toEqual(['assistant done']);
    expect(lines(asked[0]!.chat)[2]).toMatch(/^output c1 missing/);
  });

  test('an array is resumed like a file', async () => {
    const look = counter('look', { idempotent: true });
    const { backend } = spy(() => 'done');
    const answer = await ask([user, call('c1')], { backend, tools: [look.tool] });
    expect(lines(answer.messages)).toEqual(['output c1 ok look 1', 'assistant done']);
  });
});

describe('a reply in flight', () => {
  test('of which only the meta is there is asked for again', async () => {
    const { after } = await resume([user, meta('stop_reason=stop tt_c=7')]);
    expect(after).toEqual(['assistant done']);
  });

  test('whose calls were lost is asked for again; its text is neither sent nor recorded twice', async () => {
    const { backend, asked } = spy((round) =>
      round === 0 ? { messages: [said('Let me see.')], ...calling(['c1', 'look']) } : 'done',
    );
    const look = counter('look');
    const { after } = await resume([user, meta('stop_reason=tool_calls'), said('Let me see.')], {
      backend,
      tools: [look.tool],
    });
    expect(lines(asked[0]!.chat)).toEqual(['user go']);
    expect(lines(asked[1]!.chat)).toEqual([
      'user go',
      'assistant Let me see.',
      'call c1 look {}',
      'output c1 ok look 1',
    ]);
    expect(after).toEqual(['call c1 look {}', 'output c1 ok look 1', 'assistant done']);
  });
});

test('options that hold until the next answer hold for the rest of a killed run', async () => {
  const chat = [
    { role: 'option', content: 'temperature 0.3' },
    user,
    meta('stop_reason=tool_calls'),
    said('Let me see.'),
    call('c1'),
    output('c1'),
  ];
  const killed = await resume(chat);
  expect(killed.asked[0]?.options['parameters']).toEqual({ temperature: 0.3 });
  const later = await resume([...chat, said('Well.'), { role: 'user', content: 'and?' }]);
  expect(later.asked[0]?.options['parameters']).toEqual({});
});

test('a run that was stopped goes on, and the running totals with it', async () => {
  const folder = freshFolder();
  const file = join(folder, 'a.chat');
  const look = counter('look');
  const usage = { pt: 3, ct: 2 };
  const backend = replay({
    replies: [
      { ...calling(['c1', 'look']), usage },
      { ...calling(['c2', 'look']), usage },
      { text: 'done', usage },
    ],
  });
  const options = { backend, tools: [look.tool], context: testContext(folder) };
  const first = await ask({ file, question: 'go' }, { ...options, maxRounds: 1 });
  expect(first).toMatchObject({ stopReason: 'max_rounds', reason: 'the limit of 1 round is reached', text: '' });
  expect(lines(readChat(file)).at(-1)).toMatch(/^output c1 aborted .*limit of 1 round/);
  const second = await ask({ file }, options);
  expect(second).toMatchObject({ stopReason: 'stop', text: 'done', tokens: { tt: 10 } });
  expect(metas(readChat(file)).map(({ tt_c }) => tt_c)).toEqual([5, 10, 15]);
});
