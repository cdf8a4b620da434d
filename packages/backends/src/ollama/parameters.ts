import { isRecord } from '../shape.js';

/** What stands below `options`. Source: `Options` of ollama 0.6.4. */
const optionNames = [
  'numa',
  'num_ctx',
  'num_batch',
  'num_gpu',
  'main_gpu',
  'low_vram',
  'f16_kv',
  'logits_all',
  'vocab_only',
  'use_mmap',
  'use_mlock',
  'embedding_only',
  'num_thread',
  'num_keep',
  'seed',
  'num_predict',
  'top_k',
  'top_p',
  'min_p',
  'tfs_z',
  'typical_p',
  'repeat_last_n',
  'temperature',
  'repeat_penalty',
  'presence_penalty',
  'frequency_penalty',
  'mirostat',
  'mirostat_tau',
  'mirostat_eta',
  'penalize_newline',
  'stop',
] as const;

/**
 * Request parameters of Ollama's chat API that can be set; those of `options` stand beside the others, the token limit and the
 * effort are taken under their names in other APIs too. Source: `ChatRequest` of ollama 0.6.4.
 */
export const parameters = [
  ...optionNames,
  'keep_alive',
  'logprobs',
  'max_completion_tokens',
  'max_output_tokens',
  'max_tokens',
  'options',
  'reasoning',
  'reasoning_effort',
  'think',
  'top_logprobs',
] as const;

const toThink = (value: unknown): unknown => (value === 'none' ? false : value === 'minimal' ? 'low' : value);

/** Parameters in their places: sampling and context below `options`, the rest beside it. */
export const toParameters = (given: Record<string, unknown>): Record<string, unknown> => {
  const {
    max_tokens,
    max_completion_tokens,
    max_output_tokens,
    reasoning,
    reasoning_effort,
    think,
    options,
    ...named
  } = given;
  const limit = max_tokens ?? max_completion_tokens ?? max_output_tokens;
  const thinking = think ?? toThink(reasoning_effort ?? (isRecord(reasoning) ? reasoning['effort'] : reasoning));
  const below = Object.entries(named).filter(([name]) => optionNames.some((option) => option === name));
  const beside = Object.entries(named).filter(([name]) => !optionNames.some((option) => option === name));
  const all = {
    ...(limit === undefined ? {} : { num_predict: limit }),
    ...(isRecord(options) ? options : {}),
    ...Object.fromEntries(below),
  };
  const stop = (all as Record<string, unknown>)['stop'];
  return {
    ...Object.fromEntries(beside),
    ...(thinking === undefined ? {} : { think: thinking }),
    ...(Object.keys(all).length > 0 ? { options: typeof stop === 'string' ? { ...all, stop: [stop] } : all } : {}),
  };
};
