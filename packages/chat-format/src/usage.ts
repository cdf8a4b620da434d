/**
 * The six token counts of one inference. `pt` prompt (with everything read from or written to a cache), `ct` completion
 * (with reasoning), `tt` total, `cct` prompt tokens read from a cache, `cwt` prompt tokens written to one, `rt` reasoning.
 */
export type TokenField = 'pt' | 'ct' | 'tt' | 'cct' | 'cwt' | 'rt';

/** Counts in tokens. A count that was not reported is absent, never zero. */
export type Tokens = Partial<Record<TokenField, number>>;

/** The six fields in the order in which they are written. */
export const tokenFields: readonly TokenField[] = ['pt', 'ct', 'tt', 'cct', 'cwt', 'rt'];

/** Names that mean "beside the cache": the provider's input count leaves these out. */
const besideCache = {
  cct: ['cache_read_input_tokens', 'cacheReadInputTokens'],
  cwt: ['cache_creation_input_tokens', 'cacheWriteInputTokens'],
};

/** Where each provider writes a count; the first name that holds one wins. */
const sources = {
  pt: [
    'prompt_tokens',
    'input_tokens',
    'promptTokenCount',
    'prompt_eval_count',
    'inputTokens.total',
    'inputTokens',
    'promptTokens',
  ],
  ct: [
    'completion_tokens',
    'output_tokens',
    'candidatesTokenCount',
    'eval_count',
    'outputTokens.total',
    'outputTokens',
    'completionTokens',
  ],
  tt: ['total_tokens', 'totalTokenCount', 'totalTokens'],
  cct: [
    'prompt_tokens_details.cached_tokens',
    'input_tokens_details.cached_tokens',
    'cachedContentTokenCount',
    'inputTokenDetails.cacheReadTokens',
    'inputTokens.cacheRead',
    'cachedInputTokens',
    ...besideCache.cct,
  ],
  cwt: [
    'input_tokens_details.cache_write_tokens',
    'prompt_tokens_details.cache_write_tokens',
    'inputTokenDetails.cacheWriteTokens',
    'inputTokens.cacheWrite',
    ...besideCache.cwt,
  ],
  rt: [
    'completion_tokens_details.reasoning_tokens',
    'output_tokens_details.reasoning_tokens',
    'thoughtsTokenCount',
    'outputTokenDetails.reasoningTokens',
    'outputTokens.reasoning',
    'reasoningTokens',
  ],
} satisfies Record<TokenField, string[]>;

/** Input counts that leave the cache out where flat cache counts stand beside them. */
const exclusiveInput = ['input_tokens', 'inputTokens'];

/** A number of tokens: finite, not negative, and exact. */
export const isCount = (value: unknown): value is number =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER;

/** Sum of two counts, held at the largest exact number. */
export const addCounts = (a: number, b: number): number => Math.min(a + b, Number.MAX_SAFE_INTEGER);

const countAt = (usage: object, path: string): number | undefined => {
  let value: unknown = usage;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return isCount(value) ? value + 0 : undefined;
};

/**
 * A provider's usage as the six fields. Where Anthropic's or Bedrock's input count stands beside flat cache counts it leaves
 * the cache out; it is made inclusive here, so that `cct` and `cwt` are always parts of `pt`. Google's thoughts are part of
 * `ct`. A total that was given is kept as given; one that was not is computed from `pt` and `ct`, if both are known.
 * Negative, NaN and non-numeric counts are dropped. Sources: the usage objects of Chat Completions, Responses, Anthropic
 * Messages, Bedrock Converse, Gemini `usageMetadata`, Ollama, and the AI SDK.
 */
export const normalizeUsage = (raw: unknown): Tokens => {
  if (typeof raw !== 'object' || raw === null) return {};
  const found = (paths: readonly string[]) => paths.find((path) => countAt(raw, path) !== undefined);
  const take = (paths: readonly string[]) => {
    const path = found(paths);
    return path === undefined ? undefined : countAt(raw, path);
  };
  const tokens: Tokens = {};
  for (const field of tokenFields) {
    const count = take(sources[field]);
    if (count !== undefined) tokens[field] = count;
  }
  if (tokens.pt !== undefined && exclusiveInput.includes(found(sources.pt) ?? '')) {
    for (const field of ['cct', 'cwt'] as const) {
      if (besideCache[field].includes(found(sources[field]) ?? ''))
        tokens.pt = addCounts(tokens.pt, tokens[field] ?? 0);
    }
  }
  const thoughts = countAt(raw, 'thoughtsTokenCount');
  if (thoughts !== undefined) tokens.ct = addCounts(tokens.ct ?? 0, thoughts);
  if (tokens.tt === undefined && tokens.pt !== undefined && tokens.ct !== undefined)
    tokens.tt = addCounts(tokens.pt, tokens.ct);
  const ordered: Tokens = {};
  for (const field of tokenFields) if (tokens[field] !== undefined) ordered[field] = tokens[field];
  return ordered;
};

/**
 * Adds records field by field; running `*_s` and `*_c` checkpoints are never summed. A field that no record reports stays
 * absent. Linear in the number of records.
 */
export const sumTokens = (records: Iterable<Readonly<Record<string, unknown>> | Tokens>): Tokens => {
  const total: Tokens = {};
  for (const record of records) {
    for (const field of tokenFields) {
      const count = (record as Record<string, unknown>)[field];
      if (isCount(count)) total[field] = addCounts(total[field] ?? 0, count);
    }
  }
  return total;
};
