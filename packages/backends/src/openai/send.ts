import type OpenAI from 'openai';
import type { ChatCompletionCreateParams } from 'openai/resources/chat/completions';
import { abortable } from '../abortable.js';
import type { Capabilities, SendContext } from '../backend.js';
import { cutReply } from '../provider-error.js';
import { type Accumulated, addChunk, toCompletion } from './accumulate.js';

/** What OpenAI's chat completions take. */
export const openaiCapabilities: Capabilities = {
  tools: true,
  images: true,
  pdf: true,
  jsonSchema: true,
  streaming: true,
  cacheBreakpoints: false,
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

/** One request of chat completions, streamed where somebody listens. */
export const send = (
  request: ChatCompletionCreateParams,
  client: OpenAI,
  { signal, onDelta }: SendContext,
): Promise<unknown> =>
  abortable(signal, async (own) =>
    onDelta
      ? stream(request, client, own, onDelta)
      : client.chat.completions.create({ ...request, stream: false }, { signal: own }),
  );
