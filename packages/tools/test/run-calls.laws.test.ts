import { pairToolCalls, parseOutput } from '@colophon/chat-format';
import { type Call, callMessages, runCalls, type Tool, toolResult } from '@colophon/tools';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { now } from './run.js';

const full = process.env['COLOPHON_FUZZ'] === 'full';
const runs = full ? 100_000 : 3_000;
const timeout = full ? 3_600_000 : 120_000;

const text = fc.string({
  unit: fc.constantFrom('a', '"', '\\', '\n', '\ud800', '\udc00', '😀', '`', '{', '\0', '\u2028'),
  maxLength: 8,
});
const names = ['probe', 'dig', '__proto__', 'constructor', 'toString', ''];

const circular: Record<string, unknown> = { a: 1 };
circular['self'] = circular;
const locked = Object.defineProperty({}, 'x', {
  enumerable: true,
  get() {
    throw new Error('locked');
  },
});

const oddity = fc.constantFrom<unknown>(
  undefined,
  null,
  Number.NaN,
  10n,
  Symbol('s'),
  () => 1,
  circular,
  locked,
  Object.freeze(new Error('ice')),
  new Map([[{}, 1]]),
  new Uint8Array([255, 0]),
  // biome-ignore lint/suspicious/noThenProperty: a tool may return anything
  { then: 5 },
  {
    // biome-ignore lint/suspicious/noThenProperty: a tool may return anything
    get then() {
      throw new Error('then');
    },
  },
  {
    toJSON() {
      throw new Error('toJSON');
    },
  },
  { content: circular, meta: [{}] },
  { content: 'x', meta: [locked] },
);
const value = fc.oneof(
  text,
  fc.jsonValue(),
  oddity,
  text.map((message) => new Error(message)),
);
const result = fc.oneof(
  value,
  fc
    .record({ content: value, error: fc.constantFrom('error', 'truncated'), meta: value })
    .map((it) => toolResult(it as never)),
);

const schema = fc.oneof(
  fc.constantFrom<unknown>(
    {},
    { type: 'object' },
    { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
    { type: 'nonsense' },
    { $ref: '#' },
    null,
    { defaults: { a: 1 } },
  ),
  fc.jsonValue(),
);
const behaviour = fc.oneof(
  result.map((it) => () => it),
  result.map((it) => async () => it),
  value.map((it) => () => {
    throw it;
  }),
  value.map((it) => () => Promise.reject(it)),
  fc.constant(() => new Promise(() => {})),
  fc.constant('not a function'),
);
const tool = fc.record({
  name: fc.oneof(fc.constantFrom(...names), text),
  description: fc.constant(''),
  parameters: schema,
  run: behaviour,
}) as fc.Arbitrary<unknown> as fc.Arbitrary<Tool>;
const registry = fc.array(
  fc.oneof({ weight: 9, arbitrary: tool }, { weight: 1, arbitrary: oddity as fc.Arbitrary<Tool> }),
  { maxLength: 4 },
);
const call = fc.record(
  {
    id: fc.oneof(fc.constantFrom<unknown>('same', '1', '', null, 7, circular), text),
    name: fc.oneof(fc.constantFrom(...names), text, oddity),
    arguments: fc.oneof(value, fc.json(), fc.constantFrom('{"a":1}', '{"a":1', '[]')),
  },
  { requiredKeys: [] },
);
const calls = fc.array(fc.oneof({ weight: 9, arbitrary: call }, { weight: 1, arbitrary: oddity }), {
  maxLength: 6,
}) as fc.Arbitrary<unknown> as fc.Arbitrary<Call[]>;

test('whatever is called, there are as many outputs as calls, paired with them, in order, and nothing rejects', {
  timeout,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      calls,
      registry,
      fc.integer({ min: 1, max: 4 }),
      fc.boolean(),
      async (sent, tools, concurrency, stopped) => {
        const recorded = callMessages(sent);
        const told = [...recorded];
        const signal = stopped ? AbortSignal.timeout(1) : undefined;
        const round = await runCalls(sent, tools, {
          now,
          concurrency,
          signal,
          timeLimit: 4,
          maxContentLength: 60,
          onOutput: (message) => told.push(message),
        });
        expect(round.calls).toEqual(recorded);
        expect(round.outputs).toHaveLength(sent.length);
        const pairs = pairToolCalls([...round.calls, ...round.outputs]);
        expect(pairs).toHaveLength(sent.length);
        for (const [index, message] of round.outputs.entries()) {
          expect(message.role).toBe('function_call_output');
          expect(message.content.isWellFormed()).toBe(true);
          const output = parseOutput(message.content);
          expect(output?.id).toBe(pairs[index]?.callId);
          expect(output?.name).toBe(pairs[index]?.name);
          expect(typeof output?.content).toBe('string');
          expect(String(output?.content).isWellFormed()).toBe(true);
          if (output?.error && output.error !== 'truncated')
            expect(JSON.parse(String(output.content))).toHaveProperty('exception');
          expect(pairs[index]?.outputAddress).toBe(sent.length + index);
        }
        // As they were told, each call still has its own output.
        const asTold = pairToolCalls(told);
        expect(asTold.map(({ envelope }) => envelope)).toEqual(pairs.map(({ envelope }) => envelope));
      },
    ),
    { numRuns: runs },
  );
});

test('what was recorded can be called again: a reload gives the same calls', { timeout }, async () => {
  await fc.assert(
    fc.asyncProperty(calls, async (sent) => {
      const recorded = callMessages(sent);
      const again = pairToolCalls(recorded).map(({ callId, name, arguments: values }) => ({
        id: callId ?? '',
        name,
        arguments: values,
      }));
      expect(callMessages(again).map(({ content }) => JSON.parse(content))).toEqual(
        recorded.map(({ content }) => JSON.parse(content)),
      );
    }),
    { numRuns: runs },
  );
});
