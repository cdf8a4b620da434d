/**
 * Request parameters of chat completions that can be set; `max_tokens` is renamed for the models that call it
 * `max_completion_tokens`, `reasoning` gives `reasoning_effort`. Source: `ChatCompletionCreateParamsBase` of openai 6.49.0,
 * without what the request is made of and without what its reply could not be read into (`n`, `audio`, `modalities`).
 */
export const parameters = [
  'frequency_penalty',
  'logit_bias',
  'logprobs',
  'max_completion_tokens',
  'max_tokens',
  'metadata',
  'moderation',
  'parallel_tool_calls',
  'prediction',
  'presence_penalty',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning',
  'reasoning_effort',
  'response_format',
  'safety_identifier',
  'seed',
  'service_tier',
  'stop',
  'store',
  'stream_options',
  'temperature',
  'tool_choice',
  'top_logprobs',
  'top_p',
  'user',
  'verbosity',
  'web_search_options',
] as const;

/** Models that refuse `max_tokens`. */
const completionModel = /(?:^|\/)(?:o[1-9]|gpt-[5-9]|gpt-\d{2}|codex)/;

/** Parameters under the names that chat completions know. */
export const toParameters = (given: Record<string, unknown>, model: string): Record<string, unknown> => {
  const { reasoning, max_tokens: limit, ...named } = given;
  const effort =
    typeof reasoning === 'object' && reasoning !== null ? (reasoning as Record<string, unknown>)['effort'] : reasoning;
  return {
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(limit === undefined ? {} : { [completionModel.test(model) ? 'max_completion_tokens' : 'max_tokens']: limit }),
    ...named,
  };
};
