import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Server as McpServer } from '@modelcontextprotocol/sdk/server/index.js';
import type { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { badMcpPlace } from '../errors.js';
import { messageOf } from '../message-of.js';
import type { Tool } from '../tool.js';
import { createServer, toListedTools } from './create-server.js';
import { isLocal, type Refusal, refuseRequest } from './refuse-request.js';
import type { HttpPlace, ServeOptions, Serving } from './serve-options.js';

type Session = { server: McpServer; transport: StreamableHTTPServerTransport; requests: number; idle?: NodeJS.Timeout };

const refuse = (response: ServerResponse, { status, message, headers = {} }: Refusal): void => {
  // What the client still sends is not waited for.
  response.writeHead(status, { 'Content-Type': 'application/json', Connection: 'close', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }));
};

const listen = (server: Server, host: string, port: number): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    const place = `${host}:${port}`;
    server.once('error', (error: NodeJS.ErrnoException) => {
      const problem =
        error.code === 'EADDRINUSE' ? 'another program uses this port; choose another, or 0 for any' : error.message;
      reject(badMcpPlace(place, problem, error));
    });
    try {
      server.listen(port, host, () => resolve(server.address() as AddressInfo));
    } catch (error) {
      reject(badMcpPlace(place, messageOf(error), error));
    }
  });

// Node's 5 seconds are over while a large message is written or read, and what is sent on a connection just then is lost.
const keepAlive = 75_000;

/** Serves many clients by streamable HTTP, each in a session that it opens, and closes or leaves idle. */
export const serveHttp = async (tools: readonly Tool[], place: HttpPlace, options: ServeOptions): Promise<Serving> => {
  const { host = '127.0.0.1', path = '/mcp', bearer, maxBodyBytes = 32 * 1024 * 1024 } = place;
  const { sessionIdle = 3_600_000, maxSessions = 1_000, randomId } = place;
  if (!isLocal(host) && !bearer)
    throw badMcpPlace(
      `${host}:${place.port}`,
      'other machines could call the tools there; give a `bearer` key, or serve at 127.0.0.1',
    );
  const listed = toListedTools(tools);
  const sdk = await import('./sdk-server.js');
  const sessions = new Map<string, Session>();
  let opening = 0;

  const open = async (): Promise<Session> => {
    const transport = new sdk.StreamableHTTPServerTransport({
      sessionIdGenerator: randomId,
      maxRequestBodySize: maxBodyBytes,
      onsessioninitialized: (id) => {
        sessions.set(id, session);
      },
    });
    const server = createServer(sdk, tools, listed, options);
    const session: Session = { server, transport, requests: 0 };
    server.onclose = () => {
      clearTimeout(session.idle);
      if (transport.sessionId !== undefined) sessions.delete(transport.sessionId);
    };
    await server.connect(transport as Transport);
    return session;
  };

  const pass = async (session: Session, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    session.requests++;
    clearTimeout(session.idle);
    response.once('close', () => {
      session.requests--;
      if (session.requests > 0 || !sessions.has(session.transport.sessionId ?? '')) return;
      session.idle = setTimeout(() => session.server.close(), sessionIdle);
      session.idle.unref();
    });
    await session.transport.handleRequest(request, response);
  };

  const begin = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'POST')
      return refuse(response, { status: 405, message: 'A session begins with a POST.', headers: { Allow: 'POST' } });
    if (sessions.size + opening >= maxSessions)
      return refuse(response, { status: 503, message: 'There are too many sessions; try again later.' });
    opening++;
    try {
      const session = await open();
      await pass(session, request, response);
      // A request that began no session leaves none.
      if (session.transport.sessionId === undefined) await session.server.close();
    } finally {
      opening--;
    }
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = refuseRequest(request, path, place);
    if (refusal) {
      options.onWarning?.(`refused a request (${refusal.status}): ${refusal.message}`);
      return refuse(response, refusal);
    }
    const id = request.headers['mcp-session-id'];
    if (id === undefined) return begin(request, response);
    const session = sessions.get(String(id));
    return session ? pass(session, request, response) : refuse(response, { status: 404, message: 'Session not found' });
  };

  const http = createHttpServer((request, response) => {
    handle(request, response).catch((error) => {
      options.onWarning?.(messageOf(error));
      if (!response.headersSent) refuse(response, { status: 500, message: 'The request could not be answered.' });
      else response.destroy();
    });
  });
  http.keepAliveTimeout = keepAlive;
  const { port } = await listen(http, host, place.port);
  const ended = new Promise<void>((resolve) => http.once('close', resolve));
  http.on('error', (error) => options.onWarning?.(messageOf(error)));
  const close = async (): Promise<void> => {
    http.close();
    await Promise.all([...sessions.values()].map(({ server }) => server.close().catch(() => {})));
    http.closeAllConnections();
    await ended;
  };
  const shown = host.includes(':') ? `[${host}]` : host;
  return { address: `http://${shown}:${port}${path}`, ended, close };
};
