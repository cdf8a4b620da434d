import { normalizeUsage, printTokens, sumTokens, type Tokens } from '@colophon/chat-format';
import { describe, expect, test } from 'vitest';

// Each usage is in the shape of the provider's published reference or SDK types, named in the title.
const cases: [source: string, usage: unknown, tokens: Tokens][] = [
  [
    'Chat Completions, CompletionUsage',
    {
      prompt_tokens: 310,
      completion_tokens: 40,
      total_tokens: 350,
      prompt_tokens_details: { cached_tokens: 120, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 15, accepted_prediction_tokens: 0 },
    },
    { pt: 310, ct: 40, tt: 350, cct: 120, rt: 15 },
  ],
  [
    'Responses, ResponseUsage: input is inclusive already',
    {
      input_tokens: 19,
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 0 },
      output_tokens: 74,
      output_tokens_details: { reasoning_tokens: 28 },
      total_tokens: 93,
    },
    { pt: 19, ct: 74, tt: 93, cct: 4, cwt: 0, rt: 28 },
  ],
  [
    'Anthropic Messages, Usage: input leaves the cache out',
    {
      input_tokens: 12,
      output_tokens: 30,
      cache_read_input_tokens: 1000,
      cache_creation_input_tokens: 200,
      cache_creation: { ephemeral_5m_input_tokens: 200, ephemeral_1h_input_tokens: 0 },
    },
    { pt: 1212, ct: 30, tt: 1242, cct: 1000, cwt: 200 },
  ],
  [
    'Anthropic Messages without a cache: nulls are no counts',
    { input_tokens: 12, output_tokens: 30, cache_read_input_tokens: null, cache_creation_input_tokens: null },
    { pt: 12, ct: 30, tt: 42 },
  ],
  [
    'Anthropic Messages, only reads',
    { input_tokens: 12, output_tokens: 30, cache_read_input_tokens: 0 },
    { pt: 12, ct: 30, tt: 42, cct: 0 },
  ],
  [
    'Bedrock Converse, TokenUsage',
    { inputTokens: 4, outputTokens: 372, totalTokens: 2076, cacheReadInputTokens: 0, cacheWriteInputTokens: 1700 },
    { pt: 1704, ct: 372, tt: 2076, cct: 0, cwt: 1700 },
  ],
  [
    'Chat Completions from a proxy: prompt_tokens is inclusive beside flat cache counts',
    {
      prompt_tokens: 50,
      completion_tokens: 5,
      total_tokens: 55,
      cache_read_input_tokens: 40,
      cache_creation_input_tokens: 3,
    },
    { pt: 50, ct: 5, tt: 55, cct: 40, cwt: 3 },
  ],
  [
    'Gemini, GenerateContentResponseUsageMetadata: thoughts are part of the completion',
    {
      promptTokenCount: 100,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 30,
      cachedContentTokenCount: 60,
      totalTokenCount: 150,
    },
    { pt: 100, ct: 50, tt: 150, cct: 60, rt: 30 },
  ],
  ['Gemini, all of it thoughts', { promptTokenCount: 9, thoughtsTokenCount: 30 }, { pt: 9, ct: 30, tt: 39, rt: 30 }],
  [
    'Ollama, ChatResponse',
    { prompt_eval_count: 26, eval_count: 259, eval_duration: 4_799_921_000 },
    { pt: 26, ct: 259, tt: 285 },
  ],
  [
    'AI SDK, LanguageModelUsage (older)',
    { inputTokens: 30, outputTokens: 12, totalTokens: 42, reasoningTokens: 4, cachedInputTokens: 20 },
    { pt: 30, ct: 12, tt: 42, cct: 20, rt: 4 },
  ],
  [
    'AI SDK, LanguageModelUsage',
    {
      inputTokens: 30,
      inputTokenDetails: { noCacheTokens: 5, cacheReadTokens: 20, cacheWriteTokens: 5 },
      outputTokens: 12,
      outputTokenDetails: { textTokens: 8, reasoningTokens: 4 },
      totalTokens: 42,
    },
    { pt: 30, ct: 12, tt: 42, cct: 20, cwt: 5, rt: 4 },
  ],
  [
    'AI SDK, LanguageModelV3Usage',
    {
      inputTokens: { total: 30, noCache: 5, cacheRead: 20, cacheWrite: 5 },
      outputTokens: { total: 12, text: 8, reasoning: 4 },
    },
    { pt: 30, ct: 12, tt: 42, cct: 20, cwt: 5, rt: 4 },
  ],
];

describe('a provider usage becomes the six fields', () => {
  test.each(cases)('%s', (_, usage, tokens) => {
    expect(normalizeUsage(usage)).toEqual(tokens);
  });
});

test('a given total is kept, an unknown one is not invented', () => {
  expect(normalizeUsage({ prompt_tokens: 8, completion_tokens: 27, total_tokens: 105 })).toEqual({
    pt: 8,
    ct: 27,
    tt: 105,
  });
  expect(normalizeUsage({ prompt_tokens: 11 })).toEqual({ pt: 11 });
  expect(normalizeUsage({ completion_tokens: 11 })).toEqual({ ct: 11 });
  expect(normalizeUsage({})).toEqual({});
});

test('zeros are kept; what is no count is dropped, and the next source is tried', () => {
  expect(normalizeUsage({ prompt_tokens: 0, completion_tokens: 0 })).toEqual({ pt: 0, ct: 0, tt: 0 });
  expect(
    normalizeUsage({
      prompt_tokens: -1,
      completion_tokens: Number.NaN,
      total_tokens: '12',
      prompt_tokens_details: 'none',
    }),
  ).toEqual({});
  expect(normalizeUsage({ prompt_tokens: null, input_tokens: 5, output_tokens: Number.POSITIVE_INFINITY })).toEqual({
    pt: 5,
  });
  for (const foreign of [undefined, null, 7, 'x', [], true]) expect(normalizeUsage(foreign)).toEqual({});
  expect(normalizeUsage(Object.create({ prompt_tokens: 5 }))).toEqual({});
});

test('sums leave out checkpoints, and what nobody reported stays absent', () => {
  expect(
    sumTokens([
      { pt: 1, tt: 2, pt_c: 50 },
      { pt: 3, ct: 0, tt_s: 9 },
      { job: 'x', pt: 'many' },
    ]),
  ).toEqual({ pt: 4, ct: 0, tt: 2 });
  expect(sumTokens([])).toEqual({});
  expect(sumTokens([{ tt: Number.NaN }, { tt: -4 }])).toEqual({});
  expect(sumTokens([{ tt: Number.MAX_SAFE_INTEGER }, { tt: 1 }])).toEqual({ tt: Number.MAX_SAFE_INTEGER });
});

test('one line about a count', () => {
  expect(printTokens({ pt: 100, ct: 50, tt: 150, cct: 20, cwt: 0, rt: 30 })).toBe(
    'prompt=100 completion=50 total=150 cached=20 reasoning=30',
  );
  expect(printTokens({ pt: 0, cwt: 3 })).toBe('prompt=0 cache_write=3');
  expect(printTokens({})).toBe('');
});
