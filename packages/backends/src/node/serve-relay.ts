import { createHash, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AskContext } from '../context.js';
import { answerRelayed, failureLine } from './answer-relayed.js';

/** How a relay is served. Times in milliseconds. */
export type RelayOptions = {
  /** What clients must show; at least 16 characters. */
  token: string;
  /** Of the machine that has the keys. */
  context: AskContext;
  /** Default 7979; 0 takes a free one. */
  port?: number;
  /** Default 127.0.0.1. Anything else is for a proxy in front that speaks TLS. */
  host?: string;
  /** The backends that may be asked; default: all that have a wire format. */
  allow?: readonly string[];
  /** Whose key and address are used for its backend, beside the environment's. */
  endpoint?: string;
  /** The longest that one request may take; default 20 minutes. */
  timeout?: number;
  /** Requests at once; the next is told to come again. Default 16. */
  concurrency?: number;
  /** The largest request in bytes; default 64 MB. */
  maxBytes?: number;
  /** Told of each request: backend, outcome and time, never what was asked or answered. */
  log?: (line: string) => void;
};

/** A relay that runs. `close` ends what is under way. */
export type Relay = { url: string; close: () => Promise<void> };

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const isAllowed = ({ headers }: IncomingMessage, token: string): boolean =>
  timingSafeEqual(digest(headers.authorization ?? ''), digest(`Bearer ${token}`));

const refuse = (
  response: ServerResponse,
  status: number,
  message: string,
  headers: Record<string, string> = {},
): void => {
  // What is still on its way of the request is not waited for.
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers });
  response.end(JSON.stringify({ error: { message } }));
};

const readBody = async (request: IncomingMessage, maxBytes: number): Promise<unknown> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += (chunk as Buffer).length;
    if (size > maxBytes) throw new RangeError(`a request may have ${maxBytes} bytes`);
    chunks.push(chunk as Buffer);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
};

const handle = async (request: IncomingMessage, response: ServerResponse, options: RelayOptions): Promise<void> => {
  const { timeout = 1_200_000, maxBytes = 64_000_000, log } = options;
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ relay: 'colophon' }));
    return;
  }
  if (request.method !== 'POST' || request.url?.split('?')[0]?.endsWith('/ask') !== true)
    return refuse(response, 404, 'POST /ask is what a relay takes');
  let body: unknown;
  try {
    body = await readBody(request, maxBytes);
  } catch (error) {
    if (error instanceof RangeError) return refuse(response, 413, error.message);
    return refuse(response, 400, 'the request is no JSON');
  }
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  response.flushHeaders();
  const write = (line: object): void => void (response.writableEnded || response.write(`${JSON.stringify(line)}\n`));
  const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(timeout)]);
  const began = performance.now();
  const outcome = await answerRelayed(body, options, signal, write);
  response.end();
  log?.(`${outcome} ${Math.round(performance.now() - began)} ms`);
};

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });

/**
 * Serves requests of the backend `relay` with the keys of this machine: `POST /ask` with `{backend, request, stream}` and the token gives
 * lines of JSON, `{delta}` and then `{raw}` or `{error}`. Whatever one request does, the others and those that follow are answered.
 */
export const serveRelay = async (options: RelayOptions): Promise<Relay> => {
  const { token, port = 7979, host = '127.0.0.1', concurrency = 16 } = options;
  if (token.length < 16) throw new RangeError('The token of a relay must have at least 16 characters.');
  let running = 0;
  const server = createServer((request, response) => {
    request.on('error', () => {});
    response.on('error', () => {});
    if (!isAllowed(request, token)) return refuse(response, 401, 'the token of this relay is another');
    if (running >= concurrency) return refuse(response, 429, 'the relay is busy', { 'retry-after': '1' });
    running++;
    handle(request, response, options)
      .catch((error: unknown) => {
        if (!response.headersSent) refuse(response, 500, 'the relay failed');
        else response.end(`${JSON.stringify(failureLine(error, []))}\n`);
      })
      .finally(() => {
        running--;
      });
  });
  await listen(server, port, host);
  const { address, port: bound, family } = server.address() as AddressInfo;
  return {
    url: `http://${family === 'IPv6' ? `[${address}]` : address}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
