import type { GenerateContentParameters, GoogleGenAI } from '@google/genai';
import { abortable } from '../abortable.js';
import { toBaseUrl } from '../address.js';
import type { Credentials, SendContext } from '../backend.js';
import { missingKey } from '../errors.js';
import { guardedFetch } from '../guarded-fetch.js';
import { loadSdk } from '../load-sdk.js';
import { defaultTimeout } from '../openai-client.js';
import { cutReply } from '../provider-error.js';
import { isRecord, textOf } from '../shape.js';
import { type Accumulated, addChunk, toResponse } from './accumulate.js';

type Sdk = typeof import('@google/genai');

type Failure = { status: number; headers: Headers };

/** The SDK's client, and the last answer that was a failure: the SDK's errors have lost its headers. */
export type GoogleClient = { client: GoogleGenAI; failure?: Failure };

/** The SDK's client from explicit values; the Gemini API, whatever the environment says of Vertex. */
export const googleClient = async (
  { key, url, headers, timeout = defaultTimeout, maxRetries }: Credentials,
  names: readonly string[],
): Promise<GoogleClient> => {
  if (key === undefined && url === undefined) throw missingKey('google', names);
  const { base } = toBaseUrl(url ?? 'https://generativelanguage.googleapis.com', 'google');
  const { GoogleGenAI: Client } = await loadSdk<Sdk>('@google/genai', 'google');
  const send = guardedFetch(timeout);
  const made: GoogleClient = { client: undefined as unknown as GoogleGenAI };
  const watched: typeof fetch = async (input, init) => {
    const response = await send(input, init);
    if (!response.ok) made.failure = { status: response.status, headers: response.headers };
    return response;
  };
  made.client = new Client({
    apiKey: key ?? 'none',
    vertexai: false,
    httpOptions: {
      baseUrl: base,
      apiVersion: /\/v\d\w*$/.test(base) ? '' : 'v1beta',
      ...(headers ? { headers } : {}),
      retryOptions: { attempts: 1 + (typeof maxRetries === 'number' ? maxRetries : 2) },
      fetch: watched as never,
    },
  });
  return made;
};

/** What the SDK says of a failure: the answer's JSON as text, with its status. */
export const toFailure = (error: unknown, failure: Failure | undefined): unknown => {
  if (!(error instanceof Error) || !failure) return error;
  let said: unknown;
  try {
    const whole: unknown = JSON.parse(error.message);
    said = isRecord(whole) ? whole['error'] : undefined;
  } catch {
    return Object.assign(error, { status: failure.status, headers: failure.headers });
  }
  const { message, status: code } = isRecord(said) ? said : {};
  return Object.assign(new Error(textOf(message) ?? error.message, { cause: error }), {
    status: failure.status,
    headers: failure.headers,
    ...(typeof code === 'string' ? { code } : {}),
  });
};

const stream = async (
  request: GenerateContentParameters,
  client: GoogleGenAI,
  signal: AbortSignal,
  onDelta: NonNullable<SendContext['onDelta']>,
) => {
  const chunks = await client.models.generateContentStream(request);
  const state: Accumulated = { head: {}, parts: [] };
  for await (const chunk of chunks) addChunk(state, chunk, (kind, text) => onDelta({ kind, text }));
  if (state.finishReason === undefined && state.head['promptFeedback'] === undefined && !signal.aborted)
    throw cutReply();
  return toResponse(state);
};

/** One request of `generateContent`, streamed where somebody listens. */
export const send = (
  request: GenerateContentParameters,
  made: GoogleClient,
  { signal, onDelta }: SendContext,
): Promise<unknown> =>
  abortable(signal, async (own) => {
    const input = { ...request, config: { ...request.config, abortSignal: own } };
    delete made.failure;
    try {
      if (onDelta) return await stream(input, made.client, own, onDelta);
      const { sdkHttpResponse: _, ...reply } = await made.client.models.generateContent(input);
      return reply;
    } catch (error) {
      throw toFailure(error, made.failure);
    }
  });
