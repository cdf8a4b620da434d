import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';

type Constructor = typeof StreamableHTTPClientTransport;

// What the end of a stream leaves to be read of it.
const readingTime = 100;

/**
 * Streamable HTTP that leaves no request without an answer. The SDK waits on where the stream of an answer breaks or ends too
 * soon, unless the server can resume it; here that is an error answer.
 */
export const httpTransport = (Transport: Constructor, url: URL, headers: Record<string, string>) => {
  const current = new AsyncLocalStorage<RequestId>();
  const waiting = new Map<RequestId, { resumable: boolean }>();

  const fail = (id: RequestId | undefined): void => {
    if (id === undefined || !waiting.has(id)) return;
    const error = { code: -32000, message: 'the connection broke before the answer was there' };
    transport.onmessage?.({ jsonrpc: '2.0', id, error });
  };

  async function* watched(body: AsyncIterable<Uint8Array>, id: RequestId): AsyncGenerator<Uint8Array> {
    try {
      yield* body;
    } finally {
      wait(readingTime).then(() => {
        if (!waiting.get(id)?.resumable) fail(id);
      });
    }
  }

  const watchedFetch: FetchLike = async (address, init) => {
    const response = await fetch(address, init);
    const id = current.getStore();
    // The SDK takes that for a server without streams, also where it wants to go on with one.
    if (init?.method === 'GET' && response.status === 405) fail(id);
    const isStream = response.headers.get('content-type')?.includes('text/event-stream');
    if (id === undefined || !response.ok || !response.body || !isStream) return response;
    const { status, statusText, headers } = response;
    const body = ReadableStream.from(watched(response.body, id));
    return new Response(body, { status, statusText, headers });
  };

  const transport = new Transport(url, { fetch: watchedFetch, requestInit: { headers } });
  transport.onmessage = (message) => {
    if ('id' in message && !('method' in message) && message.id !== undefined) waiting.delete(message.id);
  };
  // Told inside of the request whose stream it gives up.
  transport.onerror = (error) => {
    if (error.message.startsWith('Maximum reconnection attempts')) fail(current.getStore());
  };
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    if (Array.isArray(message) || !('id' in message && 'method' in message)) return send(message, options);
    const state = { resumable: false };
    waiting.set(message.id, state);
    const onresumptiontoken = () => {
      state.resumable = true;
    };
    try {
      await current.run(message.id, () => send(message, { ...options, onresumptiontoken }));
    } catch (error) {
      waiting.delete(message.id);
      throw error;
    }
  };
  return transport;
};
