import { setMaxListeners } from 'node:events';
import { mcpClosed, mcpUnreachable } from '../errors.js';
import type { ToolContext } from '../tool.js';
import { createWarner } from './create-warner.js';
import { describeFailure, isSessionLost } from './describe-failure.js';
import { hideSecrets, hideSecretsIn } from './hide-secrets.js';
import { joinSignals, longestTime } from './join-signals.js';
import { listRemoteTools, type RemoteTool } from './list-remote-tools.js';
import type { McpClientsOptions } from './mcp-settings.js';
import { type Connection, openConnection } from './open-connection.js';
import type { Target } from './to-target.js';
import { toValue } from './to-value.js';

/** The one client of a server in a run. */
export type ServerClient = {
  /** Resolves once, with the tools; rejects with `mcp_unreachable` where the server can't be connected to. */
  listed: Promise<RemoteTool[]>;
  /** Calls a tool by the server's name; rejects with what a model may know of a failure. */
  call: (name: string, parameters: Record<string, unknown>, context: ToolContext) => Promise<unknown>;
  /** Ends the connection and what is behind it. Never rejects. */
  close: () => Promise<void>;
};

/** A server that ends is opened again by the next call, so often in a run. */
const mostReopenings = 3;

/** Milliseconds for connecting and listing, unless the options say otherwise. */
const defaultConnectTimeout = 60_000;

const loadSdk = () => import('./sdk-client.js');

/** Connects to a server, lists its tools, and keeps the connection for calls until it is closed. */
export const createServerClient = (target: Target, options: McpClientsOptions): ServerClient => {
  const { label, secrets } = target;
  const closing = new AbortController();
  // Each running call listens.
  setMaxListeners(0, closing.signal);
  const stop = () => closing.abort(options.signal?.reason);
  if (options.signal?.aborted) stop();
  options.signal?.addEventListener('abort', stop);
  const warn = createWarner(target, options.onWarning);
  const limit = options.connectTimeout ?? defaultConnectTimeout;
  let reopenings = 0;
  let closed: Promise<void> | undefined;

  // Whatever is opened under the time limit for connecting.
  const inTime = async <T>(open: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    await loadSdk();
    const timer = new AbortController();
    const timeout = setTimeout(() => timer.abort(new Error(`it did not answer within ${limit / 1000} s`)), limit);
    const { signal, release } = joinSignals(closing.signal, timer.signal);
    try {
      signal.throwIfAborted();
      return await open(signal);
    } catch (error) {
      throw signal.aborted ? signal.reason : error;
    } finally {
      clearTimeout(timeout);
      release();
    }
  };

  const open = (signal: AbortSignal): Promise<Connection> =>
    loadSdk().then((sdk) => openConnection(sdk, target, options, signal, warn));

  const openAndList = async (signal: AbortSignal): Promise<{ opened: Connection; tools: RemoteTool[] }> => {
    const { ResultSchema } = await loadSdk();
    const opened = await open(signal);
    try {
      const tools = await listRemoteTools(opened.client, ResultSchema, { signal }, warn);
      return { opened, tools };
    } catch (error) {
      const end = opened.isClosed() ? await opened.describeEnd() : undefined;
      await opened.close();
      throw end === undefined ? error : new Error(`its process ended before it told its tools (${end})`);
    }
  };

  const first = inTime(openAndList);
  let connection = first.then(({ opened }) => opened);
  connection.catch(() => {});

  const listed = first.then(
    ({ tools }) => tools,
    (error) => {
      if (closing.signal.aborted) throw error;
      throw mcpUnreachable(label, `${describeFailure(error, secrets)}.`);
    },
  );
  listed.catch(() => {});

  // Of calls in parallel that find it ended, one opens it again and the others wait for that.
  const live = async (): Promise<Connection> => {
    const seen = connection;
    const current = await seen.catch(() => undefined);
    if (current && !current.isClosed()) return current;
    if (connection !== seen) return live();
    closing.signal.throwIfAborted();
    if (reopenings === mostReopenings)
      throw new Error(`it ended ${mostReopenings + 1} times and is not opened again in this run`);
    reopenings++;
    connection = Promise.resolve(current?.close()).then(() => inTime(open));
    connection.catch(() => {});
    return connection;
  };

  const request = async (
    { client, listen }: Connection,
    name: string,
    parameters: Record<string, unknown>,
    { signal, onProgress }: ToolContext,
  ): Promise<unknown> => {
    const { ResultSchema } = await loadSdk();
    const joined = joinSignals(signal, closing.signal);
    const progress = listen(({ progress: done, total, message = '' }) =>
      onProgress({ message: hideSecrets(message, secrets), done, ...(total === undefined ? {} : { total }) }),
    );
    try {
      const params = { name, arguments: parameters, _meta: { progressToken: progress.token } };
      // Whoever calls watches the time, and aborts the signal.
      const limits = { signal: joined.signal, timeout: longestTime };
      const result = await client.request({ method: 'tools/call', params }, ResultSchema, limits);
      // Before it is read: what says that it is a failure must stay.
      return toValue(hideSecretsIn(result, secrets) as Record<string, unknown>, options.maxDataLength);
    } finally {
      joined.release();
      progress.release();
    }
  };

  const call: ServerClient['call'] = async (name, parameters, context) => {
    let used: Connection | undefined;
    try {
      used = await live();
      try {
        return await request(used, name, parameters, context);
      } catch (error) {
        if (target.kind !== 'http' || !isSessionLost(error)) throw error;
        await used.close();
        used = await live();
        return await request(used, name, parameters, context);
      }
    } catch (error) {
      context.signal.throwIfAborted();
      const end = used?.isClosed() ? await used.describeEnd() : undefined;
      throw new Error(`The MCP server ${label} failed: ${describeFailure(error, secrets, end)}.`);
    }
  };

  return {
    listed,
    call,
    close: () => {
      closed ??= (async () => {
        closing.abort(mcpClosed());
        options.signal?.removeEventListener('abort', stop);
        const current = await connection.catch(() => undefined);
        await current?.close();
      })();
      return closed;
    },
  };
};
