import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { messageOf } from '../message-of.js';
import { hideSecrets } from './hide-secrets.js';
import { httpTransport } from './http-transport.js';
import { longestTime } from './join-signals.js';
import type { McpClientsOptions } from './mcp-settings.js';
import type * as sdkClient from './sdk-client.js';
import { stdioTransport } from './stdio-transport.js';
import type { Target } from './to-target.js';

/** An open connection to a server. */
export type Connection = {
  client: Client;
  isClosed: () => boolean;
  /** Listens to the progress of a request that is sent with the token. */
  listen: (onProgress: (progress: ToldProgress) => void) => { token: number; release: () => void };
  /** How the server's process ended, where it has one and it did. */
  describeEnd: () => Promise<string | undefined>;
  close: () => Promise<void>;
};

/** Progress as a server tells it. */
export type ToldProgress = { progress: number; total?: number | undefined; message?: string | undefined };

type Sdk = typeof sdkClient;
type Attempt = { transport: Transport; describeEnd?: () => Promise<string | undefined>; leave?: () => Promise<void> };
type Signals = { signal: AbortSignal; timeout: number };

// The time in which a server is told that its session is over.
const leaveTime = 1_000;

const within = <T>(promise: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });

const stdioEnvironment = (sdk: Sdk, target: Target & { kind: 'stdio' }, options: McpClientsOptions) => {
  const inherited = sdk.DEFAULT_INHERITED_ENV_VARS.flatMap((name) => {
    const value = options.environment[name];
    // Exported shell functions are code.
    return value === undefined || value.startsWith('()') ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(inherited), ...target.env };
};

const stdioAttempt = (sdk: Sdk, target: Target & { kind: 'stdio' }, options: McpClientsOptions): Attempt => {
  const transport = stdioTransport(
    {
      ...target,
      env: stdioEnvironment(sdk, target, options),
      grace: options.grace ?? 2_000,
      onStderr: (line) => options.onStderr?.(hideSecrets(line, target.secrets), target.label),
    },
    (value) => sdk.JSONRPCMessageSchema.parse(value),
  );
  return { transport, describeEnd: transport.describeEnd };
};

const streamableAttempt = (sdk: Sdk, target: Target & { kind: 'http' }): Attempt => {
  const transport = httpTransport(sdk.StreamableHTTPClientTransport, new URL(target.url), target.headers);
  return { transport: transport as Transport, leave: () => transport.terminateSession() };
};

const sseAttempt = (sdk: Sdk, target: Target & { kind: 'http' }): Attempt => {
  const transport = new sdk.SSEClientTransport(new URL(target.url), { requestInit: { headers: target.headers } });
  // It would go on with another session, and the answers of this one would never come.
  transport.onerror = () => transport.close();
  return { transport };
};

const connect = async (
  sdk: Sdk,
  { transport, describeEnd, leave }: Attempt,
  options: McpClientsOptions,
  { signal, timeout }: Signals,
  warn: (text: string) => void,
): Promise<Connection> => {
  const client = new sdk.Client(options.clientInfo);
  let closed = false;
  let left: Promise<void> | undefined;
  client.onclose = () => {
    closed = true;
  };
  // The SDK's own way loses what comes together with the answer.
  const listeners = new Map<unknown, (progress: ToldProgress) => void>();
  let tokens = 0;
  client.setNotificationHandler(sdk.ProgressNotificationSchema, ({ params }) =>
    listeners.get(params.progressToken)?.(params),
  );
  const listen: Connection['listen'] = (onProgress) => {
    const token = ++tokens;
    listeners.set(token, onProgress);
    return { token, release: () => listeners.delete(token) };
  };
  client.onerror = (error) => {
    if (!closed) warn(messageOf(error));
  };
  const close = async () => {
    if (leave && !closed) {
      left ??= within(leave(), AbortSignal.timeout(leaveTime)).catch(() => {});
      await left;
    }
    await transport.close().catch(() => {});
  };
  try {
    await within(client.connect(transport, { signal, timeout }), signal);
  } catch (error) {
    await transport.close().catch(() => {});
    throw error;
  }
  return { client, isClosed: () => closed, listen, describeEnd: describeEnd ?? (async () => undefined), close };
};

const statusOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;

/**
 * Connects to a server: a process over its streams, an address by streamable HTTP and, where that is refused as unknown there
 * (400, 404, 405), by the older HTTP with SSE. Whatever was started is ended before it rejects.
 */
export const openConnection = async (
  sdk: Sdk,
  target: Target,
  options: McpClientsOptions,
  signal: AbortSignal,
  warn: (text: string) => void,
): Promise<Connection> => {
  const signals = { signal, timeout: longestTime };
  if (target.kind === 'stdio') {
    const attempt = stdioAttempt(sdk, target, options);
    try {
      return await connect(sdk, attempt, options, signals, warn);
    } catch (error) {
      const end = await attempt.describeEnd?.();
      throw end === undefined ? error : new Error(`its process ended before it answered (${end})`, { cause: error });
    }
  }
  try {
    return await connect(sdk, streamableAttempt(sdk, target), options, signals, warn);
  } catch (first) {
    if (![400, 404, 405].includes(Number(statusOf(first)))) throw first;
    try {
      return await connect(sdk, sseAttempt(sdk, target), options, signals, warn);
    } catch {
      throw signal.aborted ? signal.reason : first;
    }
  }
};
