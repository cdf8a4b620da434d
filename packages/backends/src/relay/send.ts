import { abortable } from '../abortable.js';
import { toBaseUrl } from '../address.js';
import type { Credentials, Delta, SendContext, WireBackend } from '../backend.js';
import { missingKey } from '../errors.js';
import { guardedFetch } from '../guarded-fetch.js';
import { defaultTimeout } from '../openai-client.js';
import { cutReply } from '../provider-error.js';
import { retryingFetch } from '../retrying-fetch.js';
import { isRecord, textOf } from '../shape.js';

/** What goes to a relay: the provider's request, and whose it is. `inner` reads the reply here; it is not sent. */
export type RelayRequest = { backend: string; request: unknown; inner: WireBackend };

/** A reply as the provider gave it, and who reads it. */
export type RelayReply = { inner: WireBackend; raw: unknown };

export type RelayClient = { url: string; headers: Record<string, string>; fetch: typeof fetch };

const defaultAddress = 'http://127.0.0.1:7979';

/** What is needed to reach a relay; the token is its key. */
export const relayClient = (
  { key, url, headers, timeout = defaultTimeout, maxRetries }: Credentials,
  names: readonly string[],
): RelayClient => {
  if (key === undefined) throw missingKey('relay', names);
  const { base } = toBaseUrl(url ?? defaultAddress, 'relay');
  return {
    url: `${base}/ask`,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...headers },
    fetch: retryingFetch(guardedFetch(timeout), typeof maxRetries === 'number' ? maxRetries : 2),
  };
};

const toFailure = (said: unknown): Error => {
  const { message, status, code, retryAfter } = isRecord(said) ? said : {};
  return Object.assign(new Error(textOf(message) ?? 'the relay failed'), {
    ...(typeof status === 'number' ? { status } : {}),
    ...(typeof code === 'string' ? { code } : {}),
    ...(typeof retryAfter === 'number' ? { headers: { 'retry-after': String(retryAfter) } } : {}),
  });
};

/** The lines of a body, each once it is whole. Linear in the text. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let pieces: string[] = [];
  for await (const bytes of body as unknown as AsyncIterable<Uint8Array>) {
    const [first = '', ...rest] = decoder.decode(bytes, { stream: true }).split('\n');
    pieces.push(first);
    for (const piece of rest) {
      yield pieces.join('');
      pieces = [piece];
    }
  }
  if (pieces.join('') !== '') yield pieces.join('');
}

/** One request through the relay; what it says comes as lines of JSON: deltas, then the reply or what went wrong. */
export const send = (
  { backend, request, inner }: RelayRequest,
  client: RelayClient,
  { signal, onDelta }: SendContext,
): Promise<RelayReply> =>
  abortable(signal, async (own) => {
    const body = JSON.stringify({ backend, request, stream: onDelta !== undefined });
    const response = await client.fetch(client.url, { method: 'POST', headers: client.headers, body, signal: own });
    for await (const line of linesOf(response.body ?? new ReadableStream())) {
      const said: unknown = JSON.parse(line);
      if (!isRecord(said)) continue;
      if (said['error'] !== undefined) throw toFailure(said['error']);
      if ('raw' in said) return { inner, raw: said['raw'] };
      const { kind, text } = isRecord(said['delta']) ? said['delta'] : {};
      if (typeof text === 'string' && (kind === 'text' || kind === 'reasoning')) onDelta?.({ kind, text } as Delta);
    }
    throw cutReply();
  });
