import type { Chat } from '@colophon/chat-format';
import type { Tool } from '@colophon/tools';
import type { Backend, Delta, Reply, RequestOptions, WireBackend } from '../backend.js';
import { providerError } from '../provider-error.js';
import { type RecordedRequest, type ScriptedReply, scriptedServer } from './scripted-server.js';
import type { ReadRequest } from './wire.js';
import { type WireName, wires } from './wires/index.js';

/** A script put behind a backend: what it is asked through, and what it was sent. */
export type Stage = {
  /** What `send` takes as client; a backend without a wire format takes none. */
  client?: unknown;
  /** What no error may hold. */
  secrets?: readonly string[];
  /** The requests so far, read; empty where they can't be seen. */
  requests: () => ReadRequest[];
  stop: () => Promise<void>;
};

/** Puts a script behind a backend. */
export type StartStage = (replies: readonly ScriptedReply[], settings: { timeout: number }) => Promise<Stage>;

/** A stage for a backend that speaks one of the wire formats. */
export const startServer =
  (backend: WireBackend, wire: WireName): StartStage =>
  async (replies, { timeout }) => {
    const server = await scriptedServer(replies);
    const credentials = { key: 'scripted-key-0123456789', url: server.urls[wire], maxRetries: 0, timeout };
    const read = ({ body, path }: RecordedRequest) => wires[wire].read(body, path);
    return {
      client: await backend.client?.(credentials),
      secrets: [credentials.key],
      requests: () => server.requests.map(read),
      stop: server.close,
    };
  };

/** What an exchange may set. */
export type ExchangeSettings = {
  tools?: readonly Tool[];
  options?: Partial<RequestOptions>;
  /** Streamed where given. */
  onDelta?: (delta: Delta) => void;
  signal?: AbortSignal;
};

/** One request and its reply, as the loop makes them; failures as `providerError` tells them. */
export const exchange = async (
  backend: Backend,
  { client, secrets = [] }: Stage,
  chat: Chat,
  settings: ExchangeSettings = {},
): Promise<Reply> => {
  const { tools = [], signal, onDelta } = settings;
  const options: RequestOptions = { model: 'scripted', parameters: {}, boundaries: [], ...settings.options };
  const context = { ...(signal ? { signal } : {}), ...(onDelta ? { onDelta } : {}) };
  try {
    if ('reply' in backend) return await backend.reply(chat, { tools, options, ...context });
    const request = await backend.toRequest(chat, tools, options);
    return backend.fromReply(await backend.send(request, client, context), { tools, chat });
  } catch (error) {
    throw providerError(error, { backend: backend.name, secrets, signal });
  }
};
