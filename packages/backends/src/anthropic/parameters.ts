import { isRecord } from '../shape.js';

/**
 * Request parameters of the Messages API that can be set; the token limit and the effort are taken under their names in the
 * other APIs too. Source: `MessageCreateParamsBase` of @anthropic-ai/sdk 1.14.0, and `temperature`, `top_k`, `top_p`, which the
 * API takes for models before Claude Opus 4.7 and the SDK's types no longer list.
 */
export const parameters = [
  'cache_control',
  'container',
  'diagnostics',
  'effort',
  'inference_geo',
  'max_completion_tokens',
  'max_output_tokens',
  'max_tokens',
  'metadata',
  'output_config',
  'parallel_tool_calls',
  'reasoning',
  'reasoning_effort',
  'service_tier',
  'speed',
  'stop_sequences',
  'temperature',
  'thinking',
  'tool_choice',
  'top_k',
  'top_p',
] as const;

/** Output limits below the default, by the beginning of the model's name; platform.claude.com/docs/en/about-claude/models, 2026-11. */
const limits: [RegExp, number][] = [
  [/claude-(?:instant|2|3-(?:haiku|opus|sonnet))/, 4096],
  [/claude-3-5/, 8192],
];

/** Tokens that a reply may have where nothing is said: ample for an answer, below the limit of every current model. */
const defaultLimit = 32_000;

/** For a model that is no Claude: other servers of the API refuse what their models can't write. */
const foreignLimit = 8192;

const limitOf = (model: string): number =>
  limits.find(([pattern]) => pattern.test(model))?.[1] ?? (/claude/i.test(model) ? defaultLimit : foreignLimit);

const toThinking = (value: unknown): unknown => {
  if (typeof value === 'string') return { type: value };
  if (typeof value === 'number') return { type: 'enabled', budget_tokens: value };
  if (typeof value === 'boolean') return { type: value ? 'adaptive' : 'disabled' };
  return value;
};

const toToolChoice = (choice: unknown, parallel: unknown): Record<string, unknown> | undefined => {
  const named = choice === 'required' ? 'any' : choice;
  const chosen = typeof named === 'string' ? { type: named } : isRecord(named) ? named : undefined;
  if (parallel !== false || chosen?.['type'] === 'none') return chosen;
  return { ...(chosen ?? { type: 'auto' }), disable_parallel_tool_use: true };
};

/** Parameters under the names that the Messages API knows, with a token limit that leaves room beside the thinking. */
export const toParameters = (
  given: Record<string, unknown>,
  model: string,
  hasTools: boolean,
): Record<string, unknown> => {
  const {
    max_completion_tokens,
    max_output_tokens,
    reasoning,
    reasoning_effort,
    effort,
    parallel_tool_calls,
    tool_choice,
    thinking,
    ...named
  } = given;
  const wanted = effort ?? reasoning_effort ?? (isRecord(reasoning) ? reasoning['effort'] : reasoning);
  const level = wanted === 'minimal' ? 'low' : wanted;
  const config = isRecord(named['output_config']) ? named['output_config'] : {};
  const mode = toThinking(thinking) ?? (level === 'none' ? { type: 'disabled' } : undefined);
  const budget = isRecord(mode) && typeof mode['budget_tokens'] === 'number' ? mode['budget_tokens'] : 0;
  const choice = hasTools ? toToolChoice(tool_choice, parallel_tool_calls) : undefined;
  return {
    max_tokens: max_output_tokens ?? max_completion_tokens ?? budget + limitOf(model),
    ...named,
    ...(level === undefined || level === 'none' ? {} : { output_config: { effort: level, ...config } }),
    ...(mode === undefined ? {} : { thinking: mode }),
    ...(choice === undefined ? {} : { tool_choice: choice }),
  };
};
