import { readTextCalls } from './text-calls.js';
import { toBackend } from './variant.js';

/** A mark of the channel that a model of the harmony format spoke in, which vLLM leaves behind a tool's name. */
const channelMark = /<\|.*$/s;

/**
 * vLLM's server. Its parameters beside OpenAI's: docs.vllm.ai/en/latest/serving/openai_compatible_server ("extra parameters").
 */
export const vllm = toBackend({
  name: 'vllm',
  defaultModel: 'vllm',
  environment: {
    key: ['VLLM_API_KEY', 'VLLM_KEY'],
    url: ['VLLM_BASE_URL', 'VLLM_URL'],
    model: ['VLLM_MODEL'],
  },
  url: 'http://127.0.0.1:8000/v1',
  parameters: [
    'add_generation_prompt',
    'best_of',
    'chat_template',
    'chat_template_kwargs',
    'continue_final_message',
    'guided_*',
    'ignore_eos',
    'include_reasoning',
    'length_penalty',
    'min_p',
    'min_tokens',
    'mm_processor_kwargs',
    'priority',
    'repetition_penalty',
    'skip_special_tokens',
    'spaces_between_special_tokens',
    'stop_token_ids',
    'structured_outputs',
    'top_k',
    'truncate_prompt_tokens',
  ],
  without: ['moderation', 'prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention', 'web_search_options'],
  toReply: (given) => {
    const { calls } = given.reply;
    const named = calls.map((call) => ({ ...call, name: call.name.replace(channelMark, '') }));
    return readTextCalls({ ...given, reply: { ...given.reply, calls: named } });
  },
});
