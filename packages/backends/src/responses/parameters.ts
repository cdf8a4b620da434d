import { gather } from '../request-body.js';

/**
 * Request parameters of the Responses API that can be set; `reasoning_x` and `text_x` are gathered into `reasoning` and
 * `text`, `verbosity` into `text`, and the token limit is taken under its names in the other APIs too. Source:
 * `ResponseCreateParamsBase` of openai 6.49.0, without what the request is made of and `background`, which has no reply.
 */
export const parameters = [
  'context_management',
  'conversation',
  'include',
  'instructions',
  'max_completion_tokens',
  'max_output_tokens',
  'max_tokens',
  'metadata',
  'moderation',
  'parallel_tool_calls',
  'prompt',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'reasoning',
  'reasoning_*',
  'safety_identifier',
  'service_tier',
  'store',
  'stream_options',
  'temperature',
  'text',
  'text_*',
  'tool_choice',
  'top_logprobs',
  'top_p',
  'truncation',
  'user',
  'verbosity',
] as const;

/** Parameters under the names that the Responses API knows. */
export const toParameters = (given: Record<string, unknown>): Record<string, unknown> => {
  const { max_tokens, max_completion_tokens, verbosity, ...named } = given;
  const limit = max_completion_tokens ?? max_tokens;
  const plain = { ...named, ...(verbosity === undefined ? {} : { text_verbosity: verbosity }) };
  return {
    ...(limit === undefined ? {} : { max_output_tokens: limit }),
    ...gather(gather(plain, 'reasoning'), 'text'),
  };
};
