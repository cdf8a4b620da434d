import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, type Reply } from '@colophon/backends';
import type { Chat } from '@colophon/chat-format';
import { describe, expect, test } from 'vitest';
import { calling, counter, freshFolder, lines, readChat, spy, testContext } from './helpers.js';

const session = (answer: (round: number, chat: Chat) => Partial<Reply> | string) =>
  spy(
    async (round, chat) => {
      const reply = answer(round, chat);
      return typeof reply === 'string'
        ? { messages: [{ role: 'assistant', content: reply }], id: `resp_${round}` }
        : { id: `resp_${round}`, ...reply };
    },
    { capabilities: { session: true } },
  );

const previous = (asked: { options: Record<string, unknown> }[]) =>
  asked.map(({ options }) => options['previousResponseId']);

describe('a provider that keeps the conversation', () => {
  test('gets what is new, in the loop and from run to run; the chat ends with the newest id', async () => {
    const folder = freshFolder();
    const file = join(folder, 'a.chat');
    const { backend, asked } = session((round) =>
      round < 2 ? calling([`a${round}`, 'look'], [`b${round}`, 'look']) : `answer ${round}`,
    );
    const options = { backend, tools: [counter('look').tool], context: testContext(folder) };
    await ask({ file, question: 'one' }, options);
    expect(readChat(file).at(-1)).toEqual({ role: 'previous_response_id', content: 'resp_2' });
    await ask({ file, question: 'two' }, options);
    expect(previous(asked)).toEqual([undefined, 'resp_0', 'resp_1', 'resp_2']);
    expect(asked.map(({ chat }) => lines(chat).map((line) => line.split(' ').slice(0, 2).join(' ')))).toEqual([
      ['user one'],
      ['output a0', 'output b0'],
      ['output a1', 'output b1'],
      ['user two'],
    ]);
    expect(
      readChat(file)
        .filter(({ role }) => role === 'previous_response_id')
        .map(({ content }) => content),
    ).toEqual(['resp_2', 'resp_3']);
  });

  test('previous_response false, store false, or a reply without an id: the whole conversation each time', async () => {
    for (const more of [{ previousResponse: false }, { store: false }]) {
      const { backend, asked } = session((round) => (round === 0 ? calling(['a', 'look']) : 'done'));
      const answer = await ask([{ role: 'previous_response_id', content: 'resp_old' }, 'go'], {
        backend,
        tools: [counter('look').tool],
        ...more,
      });
      expect(previous(asked)).toEqual([undefined, undefined]);
      expect(lines(asked[1]!.chat)).toEqual(['user go', 'call a look {}', 'output a ok look 1']);
      expect(answer.messages.map(({ role }) => role)).not.toContain('previous_response_id');
    }
    const { backend, asked } = session((round) => ({
      ...(round === 0 ? calling(['a', 'look']) : {}),
      id: undefined as never,
    }));
    await ask('go', { backend, tools: [counter('look').tool] });
    expect(lines(asked[1]!.chat)).toHaveLength(3);
  });

  test('a chat can turn it off', async () => {
    const { backend, asked } = session(() => 'done');
    const chat = [
      'one',
      { role: 'assistant', content: 'x' },
      { role: 'previous_response_id', content: 'resp_old' },
      { role: 'option', content: 'previous_response false' },
      'two',
    ];
    await ask(chat, { backend });
    expect(previous(asked)).toEqual([undefined]);
    expect(lines(asked[0]!.chat)).toEqual(['user one', 'assistant x', 'user two']);
  });

  test('a backend without sessions gets the whole chat and no id', async () => {
    const { backend, asked } = spy(() => 'done');
    const answer = await ask(
      ['one', { role: 'assistant', content: 'x' }, { role: 'previous_response_id', content: 'resp_old' }, 'two'],
      { backend },
    );
    expect(lines(asked[0]!.chat)).toEqual(['user one', 'assistant x', 'user two']);
    expect(previous(asked)).toEqual([undefined]);
    expect(answer.messages.map(({ role }) => role)).toEqual(['meta', 'assistant']);
  });

  test('an id that the call gives covers nothing of what is asked', async () => {
    const { backend, asked } = session(() => 'done');
    await ask(['one', 'two'], { backend, previousResponseId: 'resp_call' });
    expect(previous(asked)).toEqual(['resp_call']);
    expect(lines(asked[0]!.chat)).toEqual(['user one', 'user two']);
  });

  test('outputs that a killed run left are sent behind the stored id', async () => {
    const { backend, asked } = session(() => 'done');
    const chat: Chat = [
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'x' },
      { role: 'previous_response_id', content: 'resp_old' },
      { role: 'user', content: 'two' },
      { role: 'meta', content: 'inference_id=i stop_reason=tool_calls' },
      { role: 'function_call', content: '{"name":"look","arguments":{},"id":"c1"}' },
    ];
    await ask(chat, { backend, tools: [counter('look', { idempotent: true }).tool] });
    expect(previous(asked)).toEqual(['resp_old']);
    expect(lines(asked[0]!.chat)).toEqual(['user two', 'call c1 look {}', 'output c1 ok look 1']);
  });

  test('a large chat that strategies shorten still sends every new output', async () => {
    const { backend, asked } = session((round) => (round < 70 ? calling([`c${round}`, 'look', { round }]) : 'done'));
    await ask('go', {
      backend,
      tools: [counter('look').tool],
      promptStrategies: 'shorten_tools',
      max_tool_outputs: 1,
      max_tool_calls: 1,
      full_tool_outputs: 0,
      max_tool_chars: 0,
    });
    expect(asked).toHaveLength(71);
    expect(asked.slice(1).every(({ chat }) => chat.length === 1 && chat[0]?.role === 'function_call_output')).toBe(
      true,
    );
  });
});

describe('a reply that the provider does not know any more', () => {
  const forgetting = (error: object) =>
    session((round, _chat) => {
      if (round === 0) throw Object.assign(new Error('gone'), error);
      return 'done';
    });

  const chat = [
    'one',
    { role: 'assistant', content: 'x' },
    { role: 'previous_response_id', content: 'resp_old' },
    'two',
  ];

  test('the whole conversation is sent once', async () => {
    for (const error of [{ status: 404 }, { status: 400, code: 'previous_response_not_found' }]) {
      const { backend, asked } = forgetting(error);
      const answer = await ask(chat, { backend });
      expect(answer.text).toBe('done');
      expect(answer.warnings).toMatchObject([{ code: 'thread_forgotten' }]);
      expect(previous(asked)).toEqual(['resp_old', undefined]);
      expect(lines(asked[1]!.chat)).toEqual(['user one', 'assistant x', 'user two']);
    }
  });

  test('other failures are failures', async () => {
    const { backend, asked } = forgetting({ status: 400, code: 'invalid_value' });
    await expect(ask(chat, { backend })).rejects.toMatchObject({
      code: 'request_failed',
      facts: { status: 400, retryable: false },
    });
    expect(asked).toHaveLength(1);
    const missing = forgetting({ status: 404 });
    await expect(ask('go', { backend: missing.backend })).rejects.toMatchObject({ facts: { status: 404 } });
  });

  test('a note that was taken for the failed request is in the second one', async () => {
    const folder = freshFolder();
    const file = join(folder, 'a.chat');
    writeFileSync(file, 'user: one\n\nassistant: x\n\nprevious_response_id: resp_old\n');
    mkdirSync(join(folder, 'a.inbox'));
    writeFileSync(join(folder, 'a.inbox', 'hint'), 'look north');
    const { backend, asked } = forgetting({ status: 404 });
    await ask({ file, question: 'two' }, { backend, context: testContext(folder) });
    expect(asked[1]?.chat.map(({ content }) => content)).toEqual(['one', 'x', 'two', 'look north']);
  });
});
