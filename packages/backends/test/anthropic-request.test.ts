import { backends, type ReplyCall } from '@colophon/backends';
import type { Chat } from '@colophon/chat-format';
import { describe, expect, test } from 'vitest';
import { asking, assistant, call, output, round, system, tide, user } from './wire-helpers.js';

const anthropic = await backends.anthropic();
const request = asking(anthropic);

const marks = (value: unknown): string[] => JSON.stringify(value).match(/"cache_control"/g) ?? [];

describe('turns', () => {
  test('system text apart, results of parallel calls first in one user turn', async () => {
    const body = await request([
      system('Be brief.'),
      ...round,
      user('thanks'),
      system('Use metres.'),
      user('and now?'),
    ]);
    expect(body.system).toEqual([
      { type: 'text', text: 'Be brief.' },
      { type: 'text', text: 'Use metres.' },
    ]);
    expect(body.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'call_1', name: 'tide', input: { port: 'Rye' } },
          { type: 'tool_use', id: 'call_2', name: 'tide', input: { port: 'Hull' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: 'at six' },
          { type: 'tool_result', tool_use_id: 'call_2', content: '{"high":9}' },
          { type: 'text', text: 'thanks' },
          { type: 'text', text: 'and now?' },
        ],
      },
    ]);
  });

  test('blank text is never sent, and a final assistant turn ends in no white space', async () => {
    const { messages } = await request([user('  \n'), user('go'), assistant(' '), assistant('Six. \n')]);
    expect(messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Six.' }] },
    ]);
  });

  test('a chat that begins with calls begins with a user turn all the same', async () => {
    const { messages } = await request([call('a'), output('a'), user('So?')]);
    expect(messages.map(({ role }: { role: string }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  test('failed outputs say so, empty ones have no content', async () => {
    const { messages } = await request([
      user('go'),
      call('a'),
      call('b'),
      output('a', 'no such port', { error: 'error' }),
      output('b', ''),
    ]);
    expect(messages[2].content).toEqual([
      { type: 'tool_result', tool_use_id: 'a', content: 'no such port', is_error: true },
      { type: 'tool_result', tool_use_id: 'b' },
    ]);
  });

  test('ids of other providers are changed alike in a call and its result, and stay apart', async () => {
    const { messages } = await request([user('go'), call('a|1'), call('a_1'), output('a|1'), output('a_1')]);
    const used = messages[1].content.map(({ id }: { id: string }) => id);
    expect(used[0]).toMatch(/^[a-zA-Z0-9_-]+$/);
    expect(new Set(used).size).toBe(2);
    expect(messages[2].content.map(({ tool_use_id }: { tool_use_id: string }) => tool_use_id)).toEqual(used);
  });

  test('only system text is nothing to answer', async () => {
    await expect(request([system('Be brief.')])).rejects.toMatchObject({ code: 'nothing_to_ask' });
  });

  test('images and documents, by address and by data', async () => {
    const readBytes = async () => new TextEncoder().encode('%PDF-1.7');
    const { messages } = await request(
      [
        { role: 'image', content: 'https://example.org/a.png' },
        { role: 'image', content: 'data:image/png;base64,AAAA' },
        { role: 'pdf', content: '/x/a.pdf' },
        user('What?'),
      ],
      { readBytes },
    );
    expect(messages[0].content).toMatchObject([
      { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
      { type: 'document', source: { type: 'base64', media_type: 'application/pdf' }, title: 'a.pdf' },
      { type: 'text', text: 'What?' },
    ]);
  });
});

describe('parameters', () => {
  test.each([
    ['claude-sonnet-5-5', 32_000],
    ['claude-sonnet-4-5-20250929', 32_000],
    ['claude-opus-4-1', 32_000],
    ['claude-3-haiku-20240307', 4096],
    ['claude-3-5-sonnet-latest', 8192],
    ['some-other-model', 8192],
  ])('max_tokens of %s is %d', async (model, limit) => {
    expect((await request([user('go')], { model })).max_tokens).toBe(limit);
  });

  test('a thinking budget has its room beside the answer', async () => {
    const body = await request([user('go')], { model: 'claude-sonnet-4-5', parameters: { thinking: 2048 } });
    expect(body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: 2048 }, max_tokens: 34_048 });
  });

  test('a limit that is given is kept', async () => {
    expect((await request([user('go')], { parameters: { max_tokens: 10 } })).max_tokens).toBe(10);
  });

  test('effort and the choice of tools', async () => {
    const body = await request(
      [user('go')],
      {
        parameters: {
          reasoning_effort: 'minimal',
          tool_choice: 'required',
          parallel_tool_calls: false,
          thinking: 'adaptive',
        },
      },
      [tide],
    );
    expect(body).toMatchObject({
      output_config: { effort: 'low' },
      tool_choice: { type: 'any', disable_parallel_tool_use: true },
      thinking: { type: 'adaptive' },
    });
    expect((await request([user('go')], { parameters: { tool_choice: 'required' } })).tool_choice).toBeUndefined();
  });

  test('a tool', async () => {
    const { tools } = await request([user('go')], { websearch: true }, [tide]);
    expect(tools).toEqual([
      {
        type: 'custom',
        name: 'tide',
        description: 'Times of high water.',
        input_schema: { type: 'object', properties: { port: { type: 'string' } }, required: ['port'] },
      },
      { type: 'web_search_20250305', name: 'web_search' },
    ]);
  });
});

describe('formats', () => {
  const schema = {
    type: 'object',
    properties: {
      n: { type: 'integer', minimum: 1, description: 'A count.' },
      tag: { type: 'string', format: 'date' },
    },
    required: ['n'],
  };

  test('a schema is output_config.format; constraints that the API does not take are told in words', async () => {
    const body = await request([user('go')], {
      model: 'claude-sonnet-5-5',
      parameters: { effort: 'low' },
      format: { kind: 'json_schema', name: 'response', schema },
    });
    expect(body.output_config).toEqual({
      effort: 'low',
      format: {
        type: 'json_schema',
        schema: {
          ...schema,
          additionalProperties: false,
          properties: {
            n: { type: 'integer', description: 'A count. {"minimum":1}' },
            tag: { type: 'string', format: 'date' },
          },
        },
      },
    });
  });

  test.each([
    ['an old model', 'claude-3-5-haiku-latest', schema],
    ['a map of free keys', 'claude-sonnet-5-5', { type: 'object', additionalProperties: { type: 'string' } }],
  ])('%s answers through a tool, which is read as the answer', async (_, model, given) => {
    const body = await request([user('go')], {
      model,
      format: { kind: 'json_schema', name: 'response', schema: given },
    });
    expect(body.output_config).toBeUndefined();
    expect(body.tools).toMatchObject([{ name: 'answer_in_format', input_schema: { type: 'object' } }]);
    expect(body.tool_choice).toEqual({ type: 'tool', name: 'answer_in_format' });
    const reply = anthropic.fromReply({
      content: [{ type: 'tool_use', id: 't', name: 'answer_in_format', input: { n: 1 } }],
      stop_reason: 'tool_use',
    });
    expect(reply).toEqual({ messages: [{ role: 'assistant', content: '{"n":1}' }], calls: [], stopReason: 'stop' });
  });

  test('a tool to answer through is not forced together with thinking', async () => {
    const body = await request([user('go')], {
      model: 'claude-3-7-sonnet-latest',
      parameters: { thinking: 2048 },
      format: { kind: 'json_schema', name: 'response', schema },
    });
    expect(body.tool_choice).toBeUndefined();
    expect(body.system[0].text).toContain('answer_in_format');
  });

  test('json alone is asked for in words', async () => {
    const body = await request([system('Be brief.'), user('go')], { format: { kind: 'json_object' } });
    expect(body.system).toHaveLength(2);
  });
});

describe('cache marks', () => {
  const chat: Chat = [
    system('s'),
    user('one'),
    call('a'),
    output('a'),
    user('two'),
    call('b'),
    output('b'),
    assistant('x'),
    user('three'),
  ];

  test('none without boundaries', async () => {
    expect(marks(await request(chat, {}, [tide]))).toHaveLength(0);
  });

  test('behind the system text and before the latest boundaries, four in all', async () => {
    const body = await request(chat, { boundaries: [1, 2, 4, 7, 8] }, [tide]);
    expect(marks(body)).toHaveLength(4);
    expect(body.system.at(-1).cache_control).toEqual({ type: 'ephemeral' });
    const marked = body.messages.flatMap(({ content }: { content: { cache_control?: object; type: string }[] }) =>
      content.filter((block) => block.cache_control).map(({ type }) => type),
    );
    expect(marked).toEqual(['tool_result', 'tool_result', 'text']);
  });

  test('behind the tools where there is no system text', async () => {
    const body = await request([user('go'), user('on')], { boundaries: [1] }, [tide]);
    expect(body.tools[0].cache_control).toEqual({ type: 'ephemeral' });
    expect(body.messages[0].content[0].cache_control).toEqual({ type: 'ephemeral' });
    expect(body.messages[0].content[1].cache_control).toBeUndefined();
  });

  test('one less beside a mark of the request itself', async () => {
    expect(
      marks(await request(chat, { boundaries: [1, 2, 4, 7, 8], parameters: { cache_control: { type: 'ephemeral' } } })),
    ).toHaveLength(4);
  });

  test('the chat is left without marks', async () => {
    await request(chat, { boundaries: [1, 4] });
    expect(marks(chat)).toHaveLength(0);
  });
});

describe('thinking', () => {
  const block = { type: 'thinking', thinking: 'Rye.', signature: 'sig' };

  /** A chat with a round of tools behind it, as the loop keeps what the model said. */
  const afterRound = (chat: Chat): Chat => {
    const use = { type: 'tool_use', id: 'toolu_1', name: 'tide', input: { port: 'Rye' } };
    const [made] = anthropic.fromReply({ content: [block, use], stop_reason: 'tool_use' }).calls as [ReplyCall];
    return [...chat, call(made.id, made.arguments, { carry: made.carry }), output(made.id)];
  };

  test('is reasoning, and goes back unchanged before its call', async () => {
    const chat = afterRound([user('go')]);
    const { messages } = await request(chat, { model: 'claude-sonnet-4-5', parameters: { thinking: 2048 } });
    expect(messages[1].content).toEqual([
      block,
      { type: 'tool_use', id: 'toolu_1', name: 'tide', input: { port: 'Rye' } },
    ]);
    expect(anthropic.fromReply({ content: [block] }).reasoning).toBe('Rye.');
  });

  test('a fixed budget is switched off for a loop that was resumed without its thinking', async () => {
    const chat = [user('go'), call('toolu_1'), output('toolu_1')];
    const body = await request(chat, { model: 'claude-sonnet-4-5', parameters: { thinking: 2048 } });
    expect(body.thinking).toBeUndefined();
    const next = await request([...chat, assistant('Six.'), user('And Hull?')], {
      model: 'claude-sonnet-4-5',
      parameters: { thinking: 2048 },
    });
    expect(next.thinking).toEqual({ type: 'enabled', budget_tokens: 2048 });
  });

  test('adaptive thinking stays on for it', async () => {
    const body = await request([user('go'), call('toolu_1'), output('toolu_1')], {
      parameters: { thinking: 'adaptive' },
    });
    expect(body.thinking).toEqual({ type: 'adaptive' });
  });

  test('none is sent where it is switched off', async () => {
    const chat = afterRound([user('go')]);
    expect(JSON.stringify(await request(chat, { parameters: { thinking: 'disabled' } }))).not.toContain('sig');
  });
});
