import type OpenAI from 'openai';
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import { abortable } from '../abortable.js';
import { defineBackend, type SendContext } from '../backend.js';
import { openAiClient } from '../openai-client.js';
import { cutReply } from '../provider-error.js';
import { type Accumulated, addChunk, toCompletion } from './accumulate.js';
import { fromReply } from './from-reply.js';
import { parameters } from './parameters.js';
import { toRequest } from './to-request.js';

const environment = {
  key: ['OPENAI_API_KEY', 'OPENAI_KEY'],
  url: ['OPENAI_BASE_URL', 'OPENAI_URL'],
  model: ['OPENAI_MODEL'],
};

const stream = async (
  request: ChatCompletionCreateParams,
  client: OpenAI,
  signal: AbortSignal,
  onDelta: NonNullable<SendContext['onDelta']>,
) => {
  const options = request.stream_options ?? { include_usage: true };
  const chunks = await client.chat.completions.create(
    { ...request, stream: true, stream_options: options },
    { signal },
  );
  const state: Accumulated = { head: {}, message: {}, calls: [] };
  for await (const chunk of chunks) addChunk(state, chunk, (kind, text) => onDelta({ kind, text }));
  // A connection that is closed early ends the SDK's stream like a finished one.
  if (state.finishReason === undefined && !signal.aborted) throw cutReply();
  return toCompletion(state);
};

/** Chat completions: OpenAI's, and with `url` those of any compatible server (vLLM, Open WebUI, llama.cpp, GLM, …). */
export const openai = defineBackend({
  name: 'openai',
  defaultModel: 'gpt-5-nano',
  environment,
  capabilities: { tools: true, images: true, pdf: true, jsonSchema: true, streaming: true, cacheBreakpoints: false },
  parameters,
  toRequest,
  client: (credentials) => openAiClient(credentials, 'openai', environment.key),
  send: (request: ChatCompletionCreateParams, client: OpenAI, { signal, onDelta }: SendContext): Promise<unknown> =>
    abortable(signal, async (own) =>
      onDelta
        ? stream(request, client, own, onDelta)
        : client.chat.completions.create({ ...request, stream: false }, { signal: own }),
    ),
  fromReply,
});
