import type { StopReason } from '../backend.js';
import { isRecord, recordsOf, textOf } from '../shape.js';
import { toBackend } from './variant.js';

/** Reasons of stopping beside OpenAI's; docs.z.ai/api-reference/llm/chat-completion. */
const finishReasons: Record<string, StopReason> = {
  sensitive: 'content_filter',
  model_context_window_exceeded: 'length',
};

const webSearch = {
  type: 'web_search',
  web_search: { enable: true, search_engine: 'search-prime', search_result: true },
};

/** The API knows only JSON as such: the schema is told to the model, and checked when the answer is there. */
const toJsonFormat = (body: Record<string, unknown>): Record<string, unknown> => {
  const { response_format: format, ...rest } = body;
  if (!isRecord(format) || format['type'] !== 'json_schema') return body;
  const schema = isRecord(format['json_schema']) ? format['json_schema']['schema'] : undefined;
  const told = {
    role: 'system',
    content: `Answer with one JSON value of this schema and nothing else: ${JSON.stringify(schema)}`,
  };
  return { ...rest, messages: [told, ...recordsOf(body['messages'])], response_format: { type: 'json_object' } };
};

/** GLM, at Z.ai's address; at Zhipu's own (https://open.bigmodel.cn/api/paas/v4) with `url`. Source: docs.z.ai/api-reference. */
export const glm = toBackend({
  name: 'glm',
  defaultModel: 'glm-turbo',
  environment: {
    key: ['GLM_API_KEY', 'ZAI_API_KEY', 'ZHIPUAI_API_KEY', 'GLM_KEY'],
    url: ['GLM_BASE_URL', 'GLM_URL'],
    model: ['GLM_MODEL'],
  },
  url: 'https://api.z.ai/api/paas/v4',
  needsKey: true,
  embeddingModel: 'embedding-3',
  capabilities: { jsonSchema: false, websearch: true },
  parameters: ['do_sample', 'request_id', 'thinking', 'tool_stream', 'user_id'],
  without: [
    'frequency_penalty',
    'logit_bias',
    'logprobs',
    'metadata',
    'moderation',
    'parallel_tool_calls',
    'prediction',
    'presence_penalty',
    'prompt_cache_key',
    'prompt_cache_options',
    'prompt_cache_retention',
    'safety_identifier',
    'service_tier',
    'store',
    'top_logprobs',
    'verbosity',
    'web_search_options',
  ],
  toBody: (body, { websearch }) => {
    const asked = toJsonFormat(body);
    return websearch ? { ...asked, tools: [...recordsOf(asked['tools']), webSearch] } : asked;
  },
  toReply: ({ reply, raw }) => {
    const [choice] = isRecord(raw) ? recordsOf(raw['choices']) : [];
    const reason = finishReasons[textOf(choice?.['finish_reason']) ?? ''];
    return reason === undefined ? reply : { ...reply, stopReason: reason };
  },
});
