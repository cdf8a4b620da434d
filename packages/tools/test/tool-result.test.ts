import { toolResult } from '@colophon/tools';
import { expect, test } from 'vitest';
import { answerOne, exception } from './run.js';

const meta = [{ tt: 3, inference_id: 'w2' }];

test('a job is told as step, receipts as meta', async () => {
  const output = await answerOne(() => toolResult({ content: 'mapped', step: 'Atlas/survey/Default_3', meta }));
  expect(output).toMatchObject({ content: 'mapped', step: 'Atlas/survey/Default_3', meta });
  expect(output).not.toHaveProperty('error');
  expect(Object.keys(output)).toEqual(['name', 'content', 'id', 'step', 'meta', 'start_timestamp', 'timestamp']);
});

test('a failure keeps its receipts, and its text becomes an exception', async () => {
  for (const content of [
    'no compass\n    at run (/srv/tool.js:3:9)',
    new Error('no compass'),
    { exception: 'no compass' },
  ]) {
    const output = await answerOne(() => toolResult({ content, error: 'error', step: 'Atlas/survey/Default_4', meta }));
    expect(output).toMatchObject({ error: 'error', step: 'Atlas/survey/Default_4', meta });
    expect(exception(output)).toBe('no compass');
  }
});

test('a failure written by the tool keeps what else it says, but no stack, no credential and no endless text', async () => {
  const failed = (content: unknown) => answerOne(() => toolResult({ content, error: 'error' }));
  const output = await failed({
    exception: 'denied: sk-0123456789abcdefgh\n    at run (/srv/tool.js:3:9)',
    stack: ['at run (/srv/tool.js:3:9)'],
    exit_status: 3,
  });
  expect(output['content']).toBe('{"exception":"denied: [hidden]","exit_status":3}');
  for (const content of [{ exception: 'x'.repeat(500_000) }, { exception: 'no compass', log: 'x'.repeat(500_000) }]) {
    const long = await failed(content);
    expect(long['error']).toBe('error');
    expect(String(long['content']).length).toBeLessThan(11_000);
    expect(exception(long)).toMatch(/^(xxx|no compass)/);
  }
  expect(exception(await failed({ exception: { code: 7 } }))).toBe('{"code":7}');
  for (const nothing of [undefined, null])
    expect(exception(await failed(nothing))).toBe('it failed without saying why');
});

test('content that is too long names the job that holds it, and its receipts survive', async () => {
  const output = await answerOne(() => toolResult({ content: 'x'.repeat(500), step: 'Atlas/survey/Default_3', meta }), {
    maxContentLength: 100,
  });
  expect(output).toMatchObject({ error: 'truncated', step: 'Atlas/survey/Default_3', meta });
  expect(exception(output)).toContain('The job Atlas/survey/Default_3 holds the whole.');
});

test('receipts that can not be written are an error, not a crash', async () => {
  const entry: Record<string, unknown> = {};
  entry['self'] = entry;
  const output = await answerOne(() => toolResult({ content: 'x', meta: [entry as never] }));
  expect(output).toMatchObject({ error: 'error' });
});

test('the mark is not data: a copy through JSON is plain', async () => {
  const output = await answerOne(() => JSON.parse(JSON.stringify(toolResult({ content: 'x', error: 'timeout' }))));
  expect(output).toMatchObject({ content: '{"content":"x","error":"timeout"}' });
  expect(output).not.toHaveProperty('error');
});
