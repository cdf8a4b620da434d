import { nextMeta, normalizeUsage, parseMeta, printMeta, sumTokens, tokenFields } from '@colophon/chat-format';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const runs = process.env['COLOPHON_FUZZ'] === 'full' ? 100_000 : 3_000;
const timeout = 900_000;

const names = [
  ...['prompt_tokens', 'input_tokens', 'completion_tokens', 'output_tokens', 'total_tokens', 'cache_read_input_tokens'],
  ...[
    'cache_creation_input_tokens',
    'prompt_tokens_details',
    'input_tokens_details',
    'output_tokens_details',
    'cached_tokens',
  ],
  ...[
    'reasoning_tokens',
    'promptTokenCount',
    'thoughtsTokenCount',
    'inputTokens',
    'outputTokens',
    'cacheReadInputTokens',
    '__proto__',
  ],
];
const { usage } = fc.letrec((tie) => ({
  usage: fc.dictionary(
    fc.constantFrom(...names),
    fc.oneof({ depthSize: 'small' }, fc.nat(), fc.double(), fc.anything(), tie('usage')),
  ),
}));
const count = fc.oneof(fc.nat(), fc.constant(undefined), fc.constant(Number.NaN), fc.maxSafeNat());
const tokens = fc.record(Object.fromEntries(tokenFields.map((field) => [field, count])), { requiredKeys: [] });

test('whatever a provider says, a count is a finite number that is not negative, and can be recorded', {
  timeout,
}, () => {
  fc.assert(
    fc.property(usage, (raw) => {
      const read = normalizeUsage(raw);
      for (const value of Object.values(read))
        expect(Number.isFinite(value) && value >= 0 && !Object.is(value, -0)).toBe(true);
      expect(parseMeta(printMeta(nextMeta(read, undefined)))).toEqual(nextMeta(read, undefined));
    }),
    { numRuns: runs },
  );
});

test('sums do not depend on the order or on how the records are grouped', { timeout }, () => {
  fc.assert(
    fc.property(fc.array(tokens), fc.nat(), (records, cut) => {
      const at = cut % (records.length + 1);
      const whole = sumTokens(records);
      expect(sumTokens([...records].reverse())).toEqual(whole);
      expect(sumTokens([sumTokens(records.slice(0, at)), sumTokens(records.slice(at))])).toEqual(whole);
      for (const value of Object.values(whole)) expect(Number.isFinite(value)).toBe(true);
    }),
    { numRuns: runs },
  );
});
