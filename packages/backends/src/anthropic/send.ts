import type Anthropic from '@anthropic-ai/sdk';
import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages';
import { abortable } from '../abortable.js';
import { toBaseUrl } from '../address.js';
import type { Credentials, SendContext } from '../backend.js';
import { missingKey } from '../errors.js';
import { guardedFetch } from '../guarded-fetch.js';
import { defaultTimeout } from '../openai-client.js';
import { cutReply } from '../provider-error.js';
import { isRecord } from '../shape.js';
import { type Accumulated, addEvent, toMessage } from './accumulate.js';
import { prefixOf } from './preserved-thinking.js';

/** The SDK's client from explicit values alone; the environment adds neither key nor address nor headers nor traces. */
export const anthropicClient = async (
  { key, url, headers, timeout = defaultTimeout, ...more }: Credentials,
  names: readonly string[],
): Promise<Anthropic> => {
  if (key === undefined && url === undefined) throw missingKey('anthropic', names);
  const { default: Client } = await import('@anthropic-ai/sdk');
  // Compatible servers are often given with the `/v1` that the SDK adds.
  const { base, query } = toBaseUrl(url ?? 'https://api.anthropic.com', 'anthropic');
  const defaultHeaders = { ...(key === undefined ? { authorization: null, 'x-api-key': null } : {}), ...headers };
  const client = new Client({
    apiKey: key ?? 'none',
    webhookKey: null,
    baseURL: base.replace(/\/v1$/, ''),
    defaultQuery: query,
    timeout,
    maxRetries: typeof more['maxRetries'] === 'number' ? more['maxRetries'] : 2,
    logLevel: 'off',
    openTelemetry: false,
    fetch: guardedFetch(timeout),
    defaultHeaders,
  });
  // ANTHROPIC_CUSTOM_HEADERS has been laid under ours by the constructor.
  (client as unknown as { _options: { defaultHeaders: unknown } })._options.defaultHeaders = defaultHeaders;
  return client;
};

const path = '/v1/messages';

// `post` in place of `messages.create`: that prints to the console for models of some age, and refuses long replies that are
// not streamed.
const ask = async (
  request: MessageCreateParams,
  client: Anthropic,
  signal: AbortSignal,
  onDelta: SendContext['onDelta'],
): Promise<Record<string, unknown>> => {
  if (!onDelta) return client.post<Record<string, unknown>>(path, { body: { ...request, stream: false }, signal });
  const events = (await client.post(path, {
    body: { ...request, stream: true },
    stream: true,
    signal,
  })) as AsyncIterable<unknown>;
  const state: Accumulated = { blocks: new Map(), inputs: new Map(), ended: false };
  for await (const event of events) addEvent(state, event, (kind, text) => onDelta({ kind, text }));
  signal.throwIfAborted();
  if (!state.ended || !state.message) throw cutReply();
  return toMessage(state);
};

const sumCounts = (a: unknown, b: unknown): unknown => {
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  if (!isRecord(a) || !isRecord(b)) return b ?? a;
  return Object.fromEntries(
    [...new Set([...Object.keys(a), ...Object.keys(b)])].map((key) => [key, sumCounts(a[key], b[key])]),
  );
};

/** Pauses of the provider's own tools that are gone on from; more than a search ever takes. */
const mostPauses = 10;

/**
 * Asks, and goes on where the provider paused in the middle of its own tools (`pause_turn`), so that the reply is whole. It has
 * the digest of the request as `prefix`, for the thinking that is sent back later.
 */
export const send = (
  request: MessageCreateParams,
  client: Anthropic,
  { signal, onDelta }: SendContext,
): Promise<unknown> =>
  abortable(signal, async (own) => {
    let reply = await ask(request, client, own, onDelta);
    for (let pauses = 0; reply['stop_reason'] === 'pause_turn' && pauses < mostPauses; pauses++) {
      const content = Array.isArray(reply['content']) ? reply['content'] : [];
      const next = await ask(
        { ...request, messages: [...request.messages, { role: 'assistant', content }] },
        client,
        own,
        onDelta,
      );
      const more = Array.isArray(next['content']) ? next['content'] : [];
      reply = { ...next, content: [...content, ...more], usage: sumCounts(reply['usage'], next['usage']) };
    }
    return isRecord(reply) ? { ...reply, prefix: prefixOf(request) } : reply;
  });
