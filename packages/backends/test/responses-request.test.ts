import { backends } from '@colophon/backends';
import { describe, expect, test } from 'vitest';
import { asking, assistant, call, output, round, system, tide, user } from './wire-helpers.js';

const responses = await backends.responses();
const request = asking(responses);

test('a round is items, outputs in the order of their calls', async () => {
  const { input } = await request([system('Be brief.'), ...round]);
  expect(input).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'go' },
    { role: 'assistant', content: 'I look.' },
    { type: 'function_call', status: 'completed', name: 'tide', arguments: '{"port":"Rye"}', call_id: 'call_1' },
    { type: 'function_call', status: 'completed', name: 'tide', arguments: '{"port":"Hull"}', call_id: 'call_2' },
    { type: 'function_call_output', call_id: 'call_1', output: 'at six' },
    { type: 'function_call_output', call_id: 'call_2', output: '{"high":9}' },
  ]);
});

test('the prefix of an item id is left out of call_id on both sides', async () => {
  const { input } = await request([call('fc_77', '{}'), output('fc_77', 'ok')]);
  expect(input).toMatchObject([
    { call_id: '77', arguments: '{}' },
    { call_id: '77', output: 'ok' },
  ]);
});

test('going on from a response sends only what is new', async () => {
  const body = await request([output('call_1')], { previousResponseId: 'resp_0' });
  expect(body.previous_response_id).toBe('resp_0');
  expect(body.input).toEqual([{ type: 'function_call_output', call_id: 'call_1', output: 'at six' }]);
});

test('a tool is flat, without fixed values, strict only where its schema is', async () => {
  const strict = {
    ...tide,
    name: 'x',
    parameters: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false },
  };
  const { tools } = await request([user('go')], {}, [tide, strict]);
  expect(tools[0]).toEqual({
    type: 'function',
    name: 'tide',
    description: 'Times of high water.',
    parameters: { type: 'object', properties: { port: { type: 'string' } }, required: ['port'] },
    strict: false,
  });
  expect(tools[1].strict).toBe(true);
});

describe('parameters', () => {
  test('reasoning and text are gathered', async () => {
    const body = await request([user('go')], {
      parameters: {
        reasoning_effort: 'low',
        reasoning: { summary: 'auto' },
        verbosity: 'low',
        max_tokens: 50,
        store: false,
      },
      format: { kind: 'json_object' },
    });
    expect(body).toMatchObject({
      reasoning: { effort: 'low', summary: 'auto' },
      text: { verbosity: 'low', format: { type: 'json_object' } },
      max_output_tokens: 50,
      store: false,
    });
    expect(Object.keys(body)).not.toContain('reasoning_effort');
  });

  test('a schema is text.format', async () => {
    const schema = {
      type: 'object',
      properties: {
        list: { type: 'array', items: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] } },
      },
      required: ['list'],
    };
    const { text } = await request([user('go')], { format: { kind: 'json_schema', name: 'response', schema } });
    expect(text.format).toMatchObject({ type: 'json_schema', name: 'response', strict: true });
    expect(text.format.schema.properties.list.items.additionalProperties).toBe(false);
    expect(schema).not.toHaveProperty('additionalProperties');
  });

  test('the search tool stands beside the others', async () => {
    const { tools } = await request([user('go')], { websearch: true }, [tide]);
    expect(tools.map(({ type }: { type: string }) => type)).toEqual(['function', 'web_search']);
  });

  test('a tool of the provider comes by extra_body', async () => {
    const { tools } = await request([user('go')], {
      parameters: { extra_body: { tools: [{ type: 'image_generation' }] } },
    });
    expect(tools).toEqual([{ type: 'image_generation' }]);
  });
});

test('attachments are parts of one user item', async () => {
  const readBytes = async (path: string) => new TextEncoder().encode(path.endsWith('.pdf') ? '%PDF-1.7' : 'GIF89a');
  const { input } = await request(
    [
      user('Look.'),
      { role: 'image', content: '/a/b.gif' },
      { role: 'pdf', content: '/a/c.pdf' },
      { role: 'pdf', content: 'https://example.org/d.pdf' },
    ],
    { readBytes },
  );
  expect(input).toEqual([
    {
      role: 'user',
      content: [
        { type: 'input_text', text: 'Look.' },
        {
          type: 'input_image',
          detail: 'auto',
          image_url: `data:image/gif;base64,${Buffer.from('GIF89a').toString('base64')}`,
        },
        {
          type: 'input_file',
          filename: 'c.pdf',
          file_data: `data:application/pdf;base64,${Buffer.from('%PDF-1.7').toString('base64')}`,
        },
        { type: 'input_file', file_url: 'https://example.org/d.pdf' },
      ],
    },
  ]);
});

test('encrypted reasoning goes back before its call, in the loop that is under way only', async () => {
  const item = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'x' };
  const carry = { backend: 'responses', kept: [item] };
  const { input } = await request([user('go'), call('a', {}, { carry }), output('a')]);
  expect(input.map(({ type }: { type?: string }) => type)).toEqual([
    undefined,
    'reasoning',
    'function_call',
    'function_call_output',
  ]);
  const over = await request([user('go'), call('a', {}, { carry }), output('a'), assistant('Six.'), user('on')]);
  expect(JSON.stringify(over)).not.toContain('rs_1');
});

test('a failed response is an error with its code', () => {
  const failed = {
    id: 'resp_1',
    status: 'failed',
    error: { code: 'server_error', message: 'out of order' },
    output: [],
  };
  expect(() => responses.fromReply(failed)).toThrow(
    expect.objectContaining({ code: 'server_error', message: 'out of order' }),
  );
});
