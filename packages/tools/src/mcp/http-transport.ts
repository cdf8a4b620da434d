import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { RequestId } from '@modelcontextprotocol/sdk/types.js';
import { joinSignals } from './join-signals.js';

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

  const watched = (body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> => {
    const reader = body.getReader();
    return new ReadableStream({
      pull: async (controller) => {
        try {
          const { done, value } = await reader.read();
          if (!done) return controller.enqueue(value);
          controller.close();
        } catch (error) {
          controller.error(error);
        }
        onEnd();
      },
      cancel: async (reason) => {
        onEnd();
        await reader.cancel(reason);
      },
    });
  };

  const watchedFetch: FetchLike = async (address, init) => {
    const id = current.getStore();
    // The signal of the connection would gather what listens for each request.
    const { signal, release } = joinSignals(init?.signal ?? undefined);
    const response = await fetch(address, { ...init, signal }).catch((error) => {
      release();
      throw error;
    });
    // The SDK takes that for a server without streams, also where it wants to go on with one.
    if (init?.method === 'GET' && response.status === 405) fail(id);
    if (!response.body) {
      release();
      return response;
    }
    const { status, statusText, headers } = response;
    const isStream = response.ok && headers.get('content-type')?.includes('text/event-stream');
    const body = watched(response.body, () => {
      release();
      if (!isStream || id === undefined) return;
      wait(readingTime).then(() => {
        if (!waiting.get(id)?.resumable) fail(id);
      });
    });
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
