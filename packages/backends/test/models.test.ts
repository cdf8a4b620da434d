import { costOf, modelFacts } from '@colophon/backends';
import { expect, test } from 'vitest';

test('facts have sources with dates', async () => {
  expect(await modelFacts('gpt-5-nano')).toMatchObject({
    id: 'gpt-5-nano',
    provider: 'openai',
    contextLength: 400_000,
    outputLimit: 128_000,
    prices: { input_mtok: 0.05, cache_read_mtok: 0.005, output_mtok: 0.4 },
    sources: [
      { name: expect.stringContaining('genai-prices'), date: expect.stringMatching(/^\d{4}-\d\d$/) },
      { name: expect.stringContaining('llm-info'), date: expect.stringMatching(/^\d{4}-\d\d$/) },
    ],
  });
  expect(await modelFacts('claude-sonnet-4-5-20250929')).toMatchObject({ provider: 'anthropic', outputLimit: 64_000 });
});

test('an unknown model has unknown facts and unknown cost, not zero', async () => {
  expect(await modelFacts('llama3.1')).toBeUndefined();
  expect(await costOf({ pt: 10, ct: 10 }, 'llama3.1')).toBeUndefined();
  expect(await costOf({ pt: 10 }, 'gpt-5-nano')).toBeUndefined();
  expect(await costOf({}, { model: 'x', prices: { input: 1, output: 1 } })).toBeUndefined();
});

test('cached reads and writes cost their own price, reasoning is output', async () => {
  const model = 'claude-sonnet-4-5';
  expect(await costOf({ pt: 1_000, ct: 100 }, model)).toBeCloseTo(0.0045, 10);
  expect(await costOf({ pt: 1_000, ct: 100, cct: 200, cwt: 100, rt: 50 }, model)).toBeCloseTo(
    (700 * 3 + 200 * 0.3 + 100 * 3.75 + 100 * 15) / 1e6,
    10,
  );
  expect(await costOf({ pt: 10, ct: 1, cct: 100 }, model)).toBeUndefined();
  const prices = { input: 1, output: 2, cacheRead: 0.5 };
  expect(await costOf({ pt: 1_000_000, ct: 1_000_000, cct: 500_000 }, { model: 'own', prices })).toBeCloseTo(
    0.5 + 0.25 + 2,
    10,
  );
});

test('the provider decides: by its id, or by the address of its API', async () => {
  const tokens = { pt: 1_000, ct: 1_000 };
  expect(await costOf(tokens, { model: 'gpt-5', provider: 'anthropic' })).toBeUndefined();
  expect(await costOf(tokens, { model: 'gpt-5', url: 'http://localhost:8000/v1' })).toBeUndefined();
  expect(await costOf(tokens, { model: 'openai/gpt-5', url: 'https://openrouter.ai/api/v1' })).toBeCloseTo(0.01125, 10);
});
