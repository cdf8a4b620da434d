import { backends } from '@colophon/backends';
import { describe, expect, test } from 'vitest';
import { asking, assistant, call, output, round, system, tide, user } from './wire-helpers.js';

const openai = await backends.openai();
const request = asking(openai);

test('calls of one group stand in one assistant message, with the text before them', async () => {
  const { messages } = await request([system('Be brief.'), ...round, user('thanks')]);
  expect(messages).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'go' },
    {
      role: 'assistant',
      content: 'I look.',
      tool_calls: [
        { id: 'call_1', type: 'function', function: { name: 'tide', arguments: '{"port":"Rye"}' } },
        { id: 'call_2', type: 'function', function: { name: 'tide', arguments: '{"port":"Hull"}' } },
      ],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'at six' },
    { role: 'tool', tool_call_id: 'call_2', content: '{"high":9}' },
    { role: 'user', content: 'thanks' },
  ]);
});

test('groups one after the other stay apart', async () => {
  const { messages } = await request([user('go'), call('a'), output('a'), call('b'), output('b')]);
  expect(messages.map(({ role }: { role: string }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
    'assistant',
    'tool',
  ]);
  expect(messages[1].content).toBeNull();
});

test('an assistant text that is no part of the group stays a message of its own', async () => {
  const { messages } = await request([user('go'), assistant('One.'), user('on'), call('a'), output('a')]);
  expect(messages.map(({ role }: { role: string }) => role)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
    'tool',
  ]);
});

test('ids longer than the API takes are shortened alike', async () => {
  const id = `tide_${'f'.repeat(60)}`;
  const { messages } = await request([user('go'), call(id), output(id)]);
  expect(messages[1].tool_calls[0].id).toHaveLength(40);
  expect(messages[2].tool_call_id).toBe(messages[1].tool_calls[0].id);
});

test('an empty assistant message is not sent', async () => {
  const { messages } = await request([user('go'), assistant(''), user('on')]);
  expect(messages).toHaveLength(2);
});

describe('parameters', () => {
  test.each([
    ['gpt-5-nano', 'max_completion_tokens'],
    ['o3-mini', 'max_completion_tokens'],
    ['openai/gpt-5.2', 'max_completion_tokens'],
    ['gpt-4o', 'max_tokens'],
    ['llama-3.1-70b', 'max_tokens'],
    ['qwen3-8b', 'max_tokens'],
  ])('%s limits by %s', async (model, name) => {
    const body = await request([user('go')], { model, parameters: { max_tokens: 9 } });
    expect(body[name]).toBe(9);
    expect(Object.keys(body).filter((key) => key.startsWith('max_'))).toEqual([name]);
  });

  test('effort is reasoning_effort, also where it is written as in Responses', async () => {
    expect((await request([user('go')], { parameters: { reasoning: { effort: 'low' } } })).reasoning_effort).toBe(
      'low',
    );
    const body = await request([user('go')], { parameters: { reasoning_effort: 'high', temperature: 0.2 } });
    expect(body).toMatchObject({ reasoning_effort: 'high', temperature: 0.2 });
    expect(body.reasoning).toBeUndefined();
  });

  test('extra_body is laid over the request, tools added to tools', async () => {
    const body = await request(
      [user('go')],
      { parameters: { extra_body: { chat_template_kwargs: { enable_thinking: false }, tools: [{ type: 'x' }] } } },
      [tide],
    );
    expect(body.chat_template_kwargs).toEqual({ enable_thinking: false });
    expect(body.tools.map(({ type }: { type: string }) => type)).toEqual(['function', 'x']);
    expect(body.extra_body).toBeUndefined();
  });

  test('a prompt cache key is sent where one is given', async () => {
    expect((await request([user('go')], { promptCacheKey: 'k1' })).prompt_cache_key).toBe('k1');
  });

  test('the search tool is refused', async () => {
    await expect(request([user('go')], { websearch: true })).rejects.toMatchObject({ code: 'unsupported' });
  });
});

describe('format', () => {
  const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] };

  test('a schema that strict mode takes is closed and strict', async () => {
    const { response_format } = await request([user('go')], {
      format: { kind: 'json_schema', name: 'my answer', schema },
    });
    expect(response_format.json_schema).toMatchObject({
      strict: true,
      schema: { ...schema, additionalProperties: false },
    });
    expect(response_format.json_schema.name).toMatch(/^my_answer_[0-9a-f]{8}$/);
  });

  test('one with an optional property is sent as it is', async () => {
    const optional = { ...schema, required: [] };
    const { response_format } = await request([user('go')], {
      format: { kind: 'json_schema', name: 'response', schema: optional },
    });
    expect(response_format.json_schema).toEqual({ name: 'response', schema: optional });
  });

  test('json alone', async () => {
    expect((await request([user('go')], { format: { kind: 'json_object' } })).response_format).toEqual({
      type: 'json_object',
    });
  });
});

describe('attachments', () => {
  test('an address is sent as it is, beside the text', async () => {
    const { messages } = await request([
      user('What?'),
      { role: 'image', content: 'https://example.org/a.png' },
      user('And?'),
    ]);
    expect(messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What?' },
          { type: 'image_url', image_url: { url: 'https://example.org/a.png' } },
          { type: 'text', text: 'And?' },
        ],
      },
    ]);
  });

  test('a PDF by address is refused with its place', async () => {
    const chat = [{ role: 'pdf', content: 'https://example.org/a.pdf', at: { file: 'a.chat', line: 2 } }];
    await expect(request(chat)).rejects.toMatchObject({
      code: 'unsupported',
      facts: { at: { file: 'a.chat', line: 2 } },
    });
  });

  test('a file without anything to read it with is an error', async () => {
    await expect(request([{ role: 'image', content: '/a.png' }])).rejects.toMatchObject({
      code: 'unreadable_attachment',
    });
  });
});

describe('reasoning that a compatible server wants back', () => {
  const carry = { backend: 'openai', kept: { reasoning_content: 'Rye.' } };

  test('goes back in the loop that is under way', async () => {
    const { messages } = await request([user('go'), call('a', {}, { carry }), output('a')]);
    expect(messages[1].reasoning_content).toBe('Rye.');
  });

  test('but not in a loop that is over, nor to another backend', async () => {
    const over = await request([user('go'), call('a', {}, { carry }), output('a'), assistant('Six.'), user('on')]);
    expect(JSON.stringify(over)).not.toContain('Rye.');
    const foreign = await request([
      user('go'),
      call('a', {}, { carry: { backend: 'ollama', kept: 'Rye.' } }),
      output('a'),
    ]);
    const own = await request([user('go'), call('a'), output('a')]);
    expect(foreign.messages.map(Object.keys)).toEqual(own.messages.map(Object.keys));
  });
});

describe('messages that can not be sent', () => {
  test('an unknown role names role and place', async () => {
    const chat = [user('go'), { role: 'else', content: 'x', at: { file: 'a.chat', line: 9 } }];
    await expect(request(chat)).rejects.toMatchObject({
      code: 'unknown_role',
      message: expect.stringMatching(/a\.chat:9.*else/),
    });
  });

  test('a call that is no JSON names its place', async () => {
    await expect(request([{ role: 'function_call', content: 'tide(Rye)', at: { line: 4 } }])).rejects.toMatchObject({
      code: 'unreadable_message',
      message: expect.stringContaining('line 4'),
    });
  });

  test('a chat without anything said', async () => {
    await expect(request([{ role: 'meta', content: 'pt=1' }])).rejects.toMatchObject({ code: 'nothing_to_ask' });
  });
});

test('outputs without an id answer the calls in order; calls without one get the same ids each time', async () => {
  const bare = (content: string) => ({ role: 'function_call_output', content: JSON.stringify({ content }) });
  const named = { role: 'function_call', content: '{"name":"tide","arguments":"{\\"port\\":\\"Rye\\"}"}' };
  const { messages } = await request([user('go'), named, named, bare('one'), bare('two')]);
  expect(messages.slice(2)).toEqual([
    { role: 'tool', tool_call_id: 'call_0', content: 'one' },
    { role: 'tool', tool_call_id: 'call_1', content: 'two' },
  ]);
  expect(messages[1].tool_calls[0].function.arguments).toBe('{"port":"Rye"}');
});
