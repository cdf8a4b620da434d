import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type AskAgent, ask, askObject, replay } from '@colophon/backends';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { freshFolder, lines, readChat, roles, spy, testContext } from './helpers.js';

describe('format', () => {
  test('reaches the backend as a JSON Schema, from a call or a chat, and the answer is checked', async () => {
    const { backend, asked } = spy(() => 'Here it is:\n```json\n{"ok": true, "note": "fine"}\n```');
    const text = '{ok: boolean, note: [string, "short", "-"]}';
    const schema = {
      type: 'object',
      properties: { ok: { type: 'boolean' }, note: { type: 'string', description: 'short', default: '-' } },
      required: ['ok'],
      additionalProperties: false,
    };
    const answers = [
      await ask('go', { backend, format: text }),
      await ask([{ role: 'format', content: text }, 'go'], { backend }),
    ];
    for (const [index, answer] of answers.entries()) {
      expect(asked[index]?.options['format']).toEqual({ kind: 'json_schema', name: 'response', schema });
      expect(answer.object).toEqual({ ok: true, note: 'fine' });
    }
  });

  test('a schema in a file', async () => {
    const folder = freshFolder();
    writeFileSync(
      join(folder, 'schema.json'),
      '{"title":"point","type":"object","properties":{"x":{"type":"number"}},"required":["x"]}',
    );
    const { backend } = spy(() => '{"x":"far"}');
    const answer = await ask([{ role: 'format', content: 'schema.json' }, 'go'], {
      backend,
      context: testContext(folder),
    });
    expect(answer).toMatchObject({ formatError: 'x must be number', text: '{"x":"far"}' });
    expect(answer).not.toHaveProperty('object');
  });

  test('a schema that nothing can be checked by is told before anything is sent', async () => {
    const { backend, asked } = spy(() => '{}');
    const format = { type: 'object', properties: { a: { type: 'wat' } } };
    await expect(ask('go', { backend, format })).rejects.toMatchObject({ code: 'bad_format' });
    expect(asked).toEqual([]);
  });

  test('what does not fit is told; an answer without format has neither', async () => {
    const failures: [string, string][] = [
      ['no JSON', 'the answer is no JSON'],
      ['', 'the answer is empty'],
      ['{"ok":1,"more":2}', 'the value must NOT have additional properties (`more`); ok must be boolean'],
    ];
    for (const [text, problem] of failures) {
      expect(await ask('go', { backend: spy(() => text).backend, format: { ok: 'boolean' } })).toMatchObject({
        formatError: problem,
      });
    }
    expect(await ask('go', { backend: spy(() => '[1]').backend, format: 'json' })).toMatchObject({
      formatError: 'the answer is no JSON object',
    });
    const plain = await ask('go', { backend: spy(() => '{}').backend });
    expect(plain).not.toHaveProperty('object');
    expect(plain).not.toHaveProperty('formatError');
  });
});

describe('askObject', () => {
  test('returns the value of a zod schema, transformed', async () => {
    const { backend } = spy(() => '{"town":"Rye","when":"2031-04-02"}');
    const schema = z.object({
      town: z.string(),
      when: z.string().transform((text) => text.length),
      mood: z.string().default('calm'),
    });
    const { object } = await askObject('go', { backend, schema });
    const typed: { town: string; when: number; mood: string } = object;
    expect(typed).toEqual({ town: 'Rye', when: 10, mood: 'calm' });
  });

  test('tells the model once what is wrong', async () => {
    const { backend, asked } = spy((round) => (round === 0 ? '{"ok":"yes"}' : '{"ok":true}'));
    const answer = await askObject('go', { backend, schema: { ok: 'boolean' } });
    expect(answer.object).toEqual({ ok: true });
    expect(lines(asked[1]!.chat)).toEqual([
      'user go',
      'assistant {"ok":"yes"}',
      expect.stringContaining('does not have the form that was asked for: ok must be boolean'),
    ]);
    expect(lines(answer.messages)).toHaveLength(2);
  });

  test('in a file, the second question is recorded too', async () => {
    const folder = freshFolder();
    const file = join(folder, 'a.chat');
    const backend = replay({ replies: [['no'], ['{"ok":true}']] });
    const { object } = await askObject(
      { file, question: 'go' },
      { backend, context: testContext(folder), schema: { ok: 'boolean' } },
    );
    expect(object).toEqual({ ok: true });
    expect(lines(readChat(file)).map((line) => line.split(' ')[0])).toEqual(['user', 'assistant', 'user', 'assistant']);
  });

  test('gives up after the second time, and for a run that was stopped', async () => {
    const { backend, asked } = spy(() => 'never');
    await expect(askObject('go', { backend, schema: { ok: 'boolean' } })).rejects.toMatchObject({
      code: 'no_object',
      facts: { text: 'never' },
    });
    expect(asked).toHaveLength(2);
    const stopped = askObject('go', {
      backend,
      schema: { ok: 'boolean' },
      signal: AbortSignal.abort(new Error('no time')),
    });
    await expect(stopped).rejects.toThrow('no time');
    const refused = spy(() => ({ stopReason: 'refusal' as const }));
    await expect(askObject('go', { backend: refused.backend, schema: { ok: 'boolean' } })).rejects.toThrow(
      'the reply ended by refusal',
    );
    expect(refused.asked).toHaveLength(1);
  });
});

test.each([null, '', [], 'none', 5, true])(
  'a schema that is none (%j) is told before anything is sent',
  async (schema) => {
    const { backend, asked } = spy(() => '{}');
    await expect(askObject('go', { schema: schema as never, backend })).rejects.toMatchObject({ code: 'bad_format' });
    expect(asked).toHaveLength(0);
  },
);

describe('both questions of askObject', () => {
  const usage = { pt: 60, ct: 40 };
  const twice = (more = {}) =>
    spy((round) => ({ messages: [{ role: 'assistant', content: `no ${round}` }], usage, ...more }));
  const schema = { ok: 'boolean' };

  test.each([
    ['maxTokens', { maxTokens: 100 }, '100 tokens are used, the budget is 100'],
    ['maxCost', { maxCost: 0.0001, prices: { input: 1, output: 1 } }, '$0.000100 are spent'],
    ['maxRounds', { maxRounds: 1 }, 'the limit of 1 round is reached'],
  ])('share one limit: %s', async (_name, limit, reason) => {
    const { backend, asked } = twice();
    await expect(askObject('go', { backend, schema, ...limit })).rejects.toThrow(reason);
    expect(asked).toHaveLength(1);
  });

  test('have the options that hold for the question', async () => {
    const { backend, asked } = twice();
    const chat = [{ role: 'option', content: 'temperature 0.5' }, 'go'];
    await expect(askObject(chat, { backend, schema })).rejects.toMatchObject({ code: 'no_object' });
    expect(asked.map(({ options }) => options['parameters'])).toEqual([{ temperature: 0.5 }, { temperature: 0.5 }]);
  });

  test('of an agent begin with its start, and are counted together', async () => {
    const { backend, asked } = spy((round) => ({
      messages: [{ role: 'assistant', content: round === 0 ? 'no' : '{}' }],
      usage: { tt: 5 },
    }));
    const agents: AskAgent = async (_, { options }) => ({
      ...options,
      backend,
      before: [{ role: 'system', content: 's' }],
    });
    const context = { ...testContext(freshFolder()), agents };
    expect(await askObject('go', { agent: 'Ada', context, schema: 'json' })).toMatchObject({
      object: {},
      tokens: { tt: 10 },
    });
    expect(asked.map(({ chat }) => roles(chat).join(' '))).toEqual(['system user', 'system user assistant user']);
  });

  test('share the limit that a chat sets, and are both in what was used', async () => {
    const { backend, asked } = twice();
    const chat = [{ role: 'option', content: 'budget_tokens 100' }, 'go'];
    await expect(askObject(chat, { backend, schema })).rejects.toMatchObject({ code: 'no_object' });
    expect(asked).toHaveLength(1);
    const better = spy((round) => ({
      messages: [{ role: 'assistant', content: round === 0 ? 'no' : '{"ok":true}' }],
      usage,
    }));
    const prices = { input: 1, output: 1 };
    const answer = await askObject('go', { backend: better.backend, schema, prices, maxTokens: 101 });
    expect(answer.tokens).toEqual({ pt: 120, ct: 80, tt: 200 });
    expect(answer.cost).toBeCloseTo(0.0002, 10);
    expect(answer.messages.filter(({ role }) => role === 'meta')).toHaveLength(2);
  });
});
