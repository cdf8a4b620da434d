import type OpenAI from 'openai';
import type { ResponseCreateParams } from 'openai/resources/responses/responses';
import { abortable } from '../abortable.js';
import { defineBackend, type SendContext } from '../backend.js';
import { openAiEmbeddings } from '../openai/embeddings.js';
import { openAiClient } from '../openai-client.js';
import { cutReply, replyFailure } from '../provider-error.js';
import { isRecord, textOf } from '../shape.js';
import { checkFailure, fromReply } from './from-reply.js';
import { parameters } from './parameters.js';
import { toRequest } from './to-request.js';

const environment = {
  key: ['OPENAI_API_KEY', 'RESPONSES_KEY', 'OPENAI_KEY'],
  url: ['OPENAI_BASE_URL', 'RESPONSES_URL', 'OPENAI_URL'],
  model: ['RESPONSES_MODEL', 'OPENAI_MODEL'],
};

const textEvents = ['response.output_text.delta', 'response.refusal.delta'];
const reasoningEvents = ['response.reasoning_summary_text.delta', 'response.reasoning_text.delta'];
const endEvents = ['response.completed', 'response.incomplete', 'response.failed'];

const stream = async (
  request: ResponseCreateParams,
  client: OpenAI,
  signal: AbortSignal,
  onDelta: NonNullable<SendContext['onDelta']>,
) => {
  const events: AsyncIterable<unknown> = await client.responses.create({ ...request, stream: true }, { signal });
  // Servers that stream the items may leave them out of the last event.
  const items: unknown[] = [];
  let response: unknown;
  for await (const event of events) {
    if (!isRecord(event)) continue;
    const type = textOf(event['type']) ?? '';
    const delta = textOf(event['delta']);
    if (delta && textEvents.includes(type)) onDelta({ kind: 'text', text: delta });
    else if (delta && reasoningEvents.includes(type)) onDelta({ kind: 'reasoning', text: delta });
    else if (type === 'response.output_item.done') items.push(event['item']);
    else if (type === 'error')
      throw replyFailure(textOf(event['code']) ?? 'error', textOf(event['message']) ?? 'the stream ended in an error');
    else if (endEvents.includes(type)) response = event['response'];
  }
  if (!isRecord(response)) {
    signal.throwIfAborted();
    throw cutReply();
  }
  const { output } = response;
  return Array.isArray(output) && (output.length > 0 || items.length === 0) ? response : { ...response, output: items };
};

/** OpenAI's Responses API, which keeps the conversation: `previousResponseId` goes on from a reply. */
export const responses = defineBackend({
  name: 'responses',
  defaultModel: 'gpt-5-nano',
  environment,
  capabilities: {
    tools: true,
    images: true,
    pdf: true,
    jsonSchema: true,
    streaming: true,
    cacheBreakpoints: false,
    session: true,
    websearch: true,
  },
  parameters,
  toRequest,
  client: (credentials) => openAiClient(credentials, 'responses', environment.key),
  send: (request: ResponseCreateParams, client: OpenAI, { signal, onDelta }: SendContext): Promise<unknown> =>
    abortable(signal, async (own) => {
      const raw = onDelta
        ? await stream(request, client, own, onDelta)
        : await client.responses.create({ ...request, stream: false }, { signal: own });
      checkFailure(raw);
      return raw;
    }),
  fromReply,
  embeddings: openAiEmbeddings('text-embedding-3-small'),
  images: {
    parameters: { extra_body: { tools: [{ type: 'image_generation' }], tool_choice: { type: 'image_generation' } } },
  },
});
