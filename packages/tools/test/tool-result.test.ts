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
