import { abortable } from '../abortable.js';
import type { Credentials, SendContext } from '../backend.js';
import { badOption } from '../errors.js';
import { guardedFetch } from '../guarded-fetch.js';
import { defaultTimeout } from '../openai-client.js';
import { cutReply, replyFailure } from '../provider-error.js';
import { retryingFetch } from '../retrying-fetch.js';
import { isRecord, textOf } from '../shape.js';
import { joinChunks } from './from-reply.js';
import type { OllamaRequest } from './to-request.js';

/** What a call needs; the SDK's own client is made for each, since that is where it takes a signal. */
export type OllamaClient = { host: string; headers: Record<string, string>; fetch: typeof fetch };

const toUrl = (text: string): URL => {
  try {
    return new URL(text);
  } catch (cause) {
    throw badOption('url', text, 'an address such as 127.0.0.1:11434', 'ollama', cause);
  }
};

/** The address of a server from the forms that `OLLAMA_HOST` has: `host`, `host:port`, `:port`, an address with or without a path. */
const toHost = (given = ''): string => {
  const text = given.trim().replace(/\/+$/, '');
  if (text === '') return 'http://127.0.0.1:11434';
  if (text.startsWith(':')) return `http://127.0.0.1${text}`;
  const spelled = text.includes('://');
  const url = toUrl(spelled ? text : `http://${text}`);
  // A server that listens everywhere is asked here.
  if (url.hostname === '0.0.0.0') url.hostname = '127.0.0.1';
  if (!spelled && url.port === '') url.port = '11434';
  return url.href.replace(/\/+$/, '');
};

/** A client from explicit values alone. */
export const ollamaClient = ({ key, url, headers, timeout = defaultTimeout, ...more }: Credentials): OllamaClient => ({
  host: toHost(url),
  headers: { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...headers },
  fetch: retryingFetch(guardedFetch(timeout), typeof more['maxRetries'] === 'number' ? more['maxRetries'] : 2),
});

const checkLine = (line: string): void => {
  if (!isRecord(JSON.parse(line))) throw replyFailure('malformed', 'a line of the stream is no JSON object');
};

/**
 * Fails at the first line that is no JSON, and leaves blank lines out: the SDK would print them on the terminal and go on without
 * them.
 */
const checkLines = (response: Response): Response => {
  if (!response.body) return response;
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  const check = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        if (line.trim() === '') continue;
        checkLine(line);
        controller.enqueue(encoder.encode(`${line}\n`));
      }
    },
    flush(controller) {
      if (rest.trim() === '') return;
      try {
        checkLine(rest);
      } catch {
        throw cutReply();
      }
      controller.enqueue(encoder.encode(rest));
    },
  });
  return new Response(response.body.pipeThrough(check), { status: response.status, headers: response.headers });
};

/** Sends a request by the SDK, streamed where deltas are wanted. */
export const send = (
  request: OllamaRequest,
  { host, headers, fetch: plainFetch }: OllamaClient,
  { signal, onDelta }: SendContext,
): Promise<unknown> =>
  abortable(signal, async (own) => {
    // The build for browsers is the same but for one thing: it does not take a text for the name of an image file.
    const { Ollama } = await import('ollama/browser');
    const ask: typeof fetch = async (input, init) => {
      const sent = new Headers(init?.headers);
      // The SDK may have put a key from the environment there.
      sent.delete('authorization');
      for (const [name, value] of Object.entries(headers)) sent.set(name, value);
      const response = await plainFetch(input, { ...init, headers: sent, signal: own });
      return onDelta ? checkLines(response) : response;
    };
    const client = new Ollama({ host, fetch: ask });
    if (!onDelta) return client.chat({ ...request, stream: false } as Parameters<typeof client.chat>[0]);
    const chunks: unknown[] = [];
    const stream = (await client.chat({ ...request, stream: true } as never)) as AsyncIterable<unknown>;
    try {
      for await (const chunk of stream) {
        chunks.push(chunk);
        const message = isRecord(chunk) && isRecord(chunk['message']) ? chunk['message'] : {};
        const thinking = textOf(message['thinking']);
        const content = textOf(message['content']);
        if (thinking) onDelta({ kind: 'reasoning', text: thinking });
        if (content) onDelta({ kind: 'text', text: content });
      }
    } catch (error) {
      throw error instanceof Error && error.message.startsWith('Did not receive done') ? cutReply() : error;
    }
    return joinChunks(chunks);
  });
