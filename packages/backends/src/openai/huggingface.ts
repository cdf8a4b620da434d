import type { StopReason } from '../backend.js';
import { makeCallId, takenIds } from '../call-ids.js';
import { isRecord, recordsOf, textOf } from '../shape.js';
import { toBackend } from './variant.js';

/** Reasons of stopping of text-generation-inference; its openapi.json, `FinishReason`. */
const finishReasons: Record<string, StopReason> = { eos_token: 'stop', stop_sequence: 'stop' };

/**
 * Hugging Face: its router of inference providers, and with `url` an endpoint or a server of text-generation-inference, both of
 * which speak chat completions. Source: huggingface.co/docs/inference-providers, text-generation-inference's openapi.json.
 */
export const huggingface = toBackend({
  name: 'huggingface',
  environment: {
    key: ['HF_TOKEN', 'HUGGINGFACE_API_KEY', 'HUGGINGFACE_KEY'],
    url: ['HUGGINGFACE_BASE_URL', 'HUGGINGFACE_URL'],
    model: ['HUGGINGFACE_MODEL', 'HF_MODEL'],
  },
  url: 'https://router.huggingface.co/v1',
  needsKey: true,
  parameters: ['min_p', 'repetition_penalty', 'tool_prompt', 'top_k'],
  without: ['moderation', 'prompt_cache_key', 'prompt_cache_options', 'prompt_cache_retention', 'web_search_options'],
  toReply: ({ reply, raw, chat }) => {
    const [choice] = isRecord(raw) ? recordsOf(raw['choices']) : [];
    const reason = reply.calls.length > 0 ? undefined : finishReasons[textOf(choice?.['finish_reason']) ?? ''];
    // The server numbers the calls of each reply anew.
    const taken = reply.calls.length > 0 ? takenIds(chat) : new Set<string>();
    const calls = reply.calls.map((call) => {
      if (taken.has(call.id)) return { ...call, id: makeCallId(call.name, call.arguments, taken) };
      taken.add(call.id);
      return call;
    });
    return { ...reply, calls, ...(reason === undefined ? {} : { stopReason: reason }) };
  },
});
