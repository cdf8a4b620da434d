import { unknownProviderError } from './errors.js';

/**
 * What a provider's prompt cache does. A prefix counts from `minimum` tokens on, in steps of `block` tokens, until `lifetime`
 * seconds pass without use; a token that is written to or read from the cache costs `write` or `read` times a plain one.
 */
export type CacheRules = { minimum: number; block: number; lifetime: number; write: number; read: number };

/** A value with the day on which it was read, and where. `models`: for those whose name holds one of these texts alone. */
export type Figure = { value: number; date: string; source: string; models?: readonly string[] };

type Origin = Pick<Figure, 'date' | 'source'>;

const anthropic: Origin = {
  date: '2026-11-30',
  source: 'https://platform.claude.com/docs/en/build-with-claude/prompt-caching',
};
const minima: Origin = { date: '2026-10-07', source: 'https://docs.litellm.ai/docs/completion/prompt_caching' };
const bedrock: Origin = {
  date: '2026-11-30',
  source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html',
};
const openai: Origin = { date: '2026-11-30', source: 'https://developers.openai.com/api/docs/guides/prompt-caching' };
const google: Origin = { date: '2026-07-07', source: 'https://ai.google.dev/gemini-api/docs/caching' };
const prices: Origin = {
  date: '2026-09-30',
  source: '@pydantic/genai-prices 0.1.8: price of cached and of plain input',
};

type Figures = Record<keyof CacheRules, readonly Figure[]>;

const claude: Figures = {
  minimum: [
    { value: 512, ...minima, models: ['opus-5', 'fable-5', 'mythos-5'] },
    { value: 4096, ...minima, models: ['opus-4-5', 'opus-4-6', 'haiku-4-5', 'opus-4.5', 'opus-4.6', 'haiku-4.5'] },
    { value: 2048, ...anthropic, models: ['opus-4-7', 'opus-4.7', '3-5-haiku', '3-haiku', 'haiku-3'] },
    { value: 1024, ...minima },
  ],
  block: [{ value: 1, ...anthropic }],
  lifetime: [{ value: 300, ...anthropic }],
  write: [{ value: 1.25, ...anthropic }],
  read: [{ value: 0.1, ...anthropic }],
};

const gpt: Figures = {
  minimum: [{ value: 1024, ...openai }],
  block: [{ value: 128, ...openai }],
  lifetime: [
    { value: 1800, ...openai, models: ['gpt-5.6'] },
    { value: 86_400, ...openai, models: ['gpt-5.5'] },
    { value: 300, ...openai },
  ],
  write: [
    { value: 1.25, ...openai, models: ['gpt-5.6'] },
    { value: 1, ...openai },
  ],
  read: [
    { value: 0.5, ...prices, models: ['gpt-4o', 'o3-mini', 'o1'] },
    { value: 0.25, ...prices, models: ['gpt-4.1', 'o4-mini', 'o3'] },
    { value: 0.1, ...prices },
  ],
};

/**
 * The prompt caches of providers, by the name of the backend. Of several figures the first whose `models` hold counts. What
 * the documents leave open is taken as the cautious end (OpenAI before GPT-5.6: 5 to 10 minutes; Gemini: no time is told).
 * These drift: mend the figure and its date.
 */
export const providerCacheRules = {
  anthropic: claude,
  'anthropic-1h': {
    ...claude,
    lifetime: [{ value: 3600, ...anthropic }],
    write: [{ value: 2, ...anthropic }],
  },
  bedrock: {
    ...claude,
    minimum: [{ value: 4096, ...minima, models: ['opus-4-7'] }, ...claude.minimum],
    lifetime: [{ value: 300, ...bedrock }],
    write: [{ value: 1.25, ...prices }],
    read: [{ value: 0.1, ...prices }],
  },
  openai: gpt,
  responses: gpt,
  google: {
    minimum: [
      { value: 2048, ...google, models: ['gemini-2.5'] },
      { value: 4096, ...google },
    ],
    block: [{ value: 1, ...google }],
    lifetime: [{ value: 300, ...google }],
    write: [{ value: 1, ...google }],
    read: [
      { value: 0.25, ...prices, models: ['gemini-2.0'] },
      { value: 0.1, ...prices },
    ],
  },
} satisfies Record<string, Figures>;

const figure = (figures: readonly Figure[], model: string): number =>
  figures.find(({ models }) => !models || models.some((part) => model.includes(part)))?.value ?? 0;

/**
 * The rules of a provider for a model; without a model, those of its newest general ones.
 *
 * @throws ColophonError `unknown_provider`, which lists the known ones.
 */
export const cacheRules = (provider: string, model = ''): CacheRules => {
  const table: Record<string, Figures> = providerCacheRules;
  const figures = Object.hasOwn(table, provider) ? table[provider] : undefined;
  if (!figures) throw unknownProviderError(provider, Object.keys(table));
  const { minimum, block, lifetime, write, read } = figures;
  return {
    minimum: figure(minimum, model),
    block: figure(block, model),
    lifetime: figure(lifetime, model),
    write: figure(write, model),
    read: figure(read, model),
  };
};
