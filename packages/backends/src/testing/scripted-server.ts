import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isRecord } from '../shape.js';
import { rules } from './rules/index.js';
import type { ScriptedContent, Wire } from './wire.js';
import { type WireName, wires } from './wires/index.js';

/**
 * What goes wrong with a reply. `cut`: the connection is closed in the middle; `reset`: it is torn down in the middle;
 * `malformed`: the middle is no JSON; `hang`: nothing ever comes; `stall`: the first piece comes, then nothing; `drop`: it is torn
 * down before anything comes.
 */
export type Fault = 'cut' | 'reset' | 'malformed' | 'hang' | 'stall' | 'drop';

/** How a reply is sent, beside what it says. */
export type Manner = {
  fault?: Fault;
  /** Milliseconds between the pieces of a stream. */
  pause?: number;
  /** Bytes that are written at once: splits events and characters anywhere. */
  split?: number;
};

/** A reply of the script: in words, as a recorded body or list of events, or as a failure with its status. */
export type ScriptedReply =
  | (ScriptedContent & Manner)
  | ({ body: unknown; events?: unknown[] } & Manner)
  | { status: number; code?: string; message?: string; headers?: Record<string, string> };

/** A request as it came over the wire. */
export type RecordedRequest = {
  wire: WireName | undefined;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: Record<string, unknown>;
};

/** The replies in order (the last one again and again with `repeat`), or a function from the request. */
export type Script = readonly ScriptedReply[] | ((request: RecordedRequest, number: number) => ScriptedReply);

/** A running server. `urls` are what each backend takes as `url`. */
export type ScriptedServer = {
  urls: Record<WireName, string>;
  requests: RecordedRequest[];
  close: () => Promise<void>;
};

const readBody = async (request: IncomingMessage): Promise<Record<string, unknown>> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString('utf8');
  const body: unknown = text === '' ? {} : JSON.parse(text);
  return isRecord(body) ? body : {};
};

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

const write = (response: ServerResponse, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    response.write(bytes, () => resolve());
  });

type Piece = string | Uint8Array;

/** The pieces with the fault put into their middle. */
const spoil = (pieces: Piece[], fault: Fault | undefined, wire: Wire | undefined): Piece[] => {
  const middle = Math.max(1, Math.floor(pieces.length / 2));
  if (fault === 'cut' || fault === 'reset') return pieces.slice(0, middle);
  if (fault === 'stall') return pieces.slice(0, 1);
  if (fault === 'malformed')
    return [...pieces.slice(0, middle), wire?.frame('{"broken": ') ?? '{"broken": ', ...pieces.slice(middle)];
  return pieces;
};

const sendPieces = async (
  response: ServerResponse,
  pieces: readonly Piece[],
  { fault, pause: wait = 0, split }: Manner,
): Promise<void> => {
  for (const piece of pieces) {
    const bytes = Buffer.from(piece as string);
    const size = split ?? bytes.length;
    for (let from = 0; from < bytes.length; from += size) {
      await write(response, bytes.subarray(from, from + size));
    }
    if (wait > 0) await pause(wait);
  }
  if (fault === 'reset') response.socket?.destroy();
  else if (fault !== 'stall') response.end();
};

const sendFailure = (
  response: ServerResponse,
  wire: Wire | undefined,
  status: number,
  code: string,
  message: string,
  headers = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(wire?.toFailure(status, code, message) ?? { error: message }));
};

const sendReply = async (
  response: ServerResponse,
  wire: Wire | undefined,
  reply: ScriptedReply,
  streamed: boolean,
  number: number,
): Promise<void> => {
  if ('status' in reply && typeof reply.status === 'number') {
    return sendFailure(
      response,
      wire,
      reply.status,
      reply.code ?? `scripted_${reply.status}`,
      reply.message ?? 'a scripted failure',
      reply.headers,
    );
  }
  const manner = reply as Manner;
  if (manner.fault === 'hang') return;
  if (manner.fault === 'drop') return void response.socket?.destroy();
  const recorded = 'body' in reply || 'events' in reply ? (reply as { body?: unknown; events?: unknown[] }) : undefined;
  const content = reply as ScriptedContent;
  if (streamed && wire) {
    const pieces = recorded
      ? [...(recorded.events ?? [recorded.body]).map(wire.frame), ...wire.end]
      : wire.toStream(content, number);
    response.writeHead(200, { 'content-type': wire.contentType.stream });
    return sendPieces(response, spoil(pieces, manner.fault, wire), manner);
  }
  const body = JSON.stringify(recorded ? recorded.body : wire?.toBody(content, number));
  response.writeHead(200, {
    'content-type': 'application/json',
    ...(manner.fault ? {} : { 'content-length': Buffer.byteLength(body) }),
  });
  const half = Math.ceil(body.length / 2);
  const pieces = manner.fault ? [body.slice(0, half), ...(manner.fault === 'malformed' ? ['}{'] : [])] : [body];
  return sendPieces(response, pieces, manner);
};

/**
 * A server on this machine that speaks all wire formats, plain and streamed, and answers by a script. It keeps every
 * request, and refuses with status 400 what the provider's own rules refuse, unless `lenient`.
 */
export const scriptedServer = async (
  script: Script,
  { repeat = false, lenient = false } = {},
): Promise<ScriptedServer> => {
  const requests: RecordedRequest[] = [];
  const next = (request: RecordedRequest, number: number): ScriptedReply | undefined => {
    if (typeof script === 'function') return script(request, number);
    return script[number] ?? (repeat ? script.at(-1) : undefined);
  };
  const server = createServer((incoming, response) => {
    void (async () => {
      const path = (incoming.url ?? '/').split('?')[0] ?? '/';
      const [name, wire] =
        (Object.entries(wires) as [WireName, Wire][]).find(
          ([, candidate]) => candidate.isPath?.(path) ?? path.endsWith(candidate.path),
        ) ?? [];
      const body = await readBody(incoming);
      const request: RecordedRequest = { wire: name, path, headers: incoming.headers, body };
      requests.push(request);
      const problems = name === undefined || lenient ? [] : rules[name](body);
      if (problems.length > 0) return sendFailure(response, wire, 400, 'invalid_request_error', problems.join('; '));
      const reply = next(request, requests.length - 1);
      if (!reply)
        return sendFailure(
          response,
          wire,
          400,
          'script_ended',
          `the script has ${requests.length - 1} replies, and this is one request more`,
        );
      const streamed = wire?.isStreamed?.(path) ?? body['stream'] === true;
      await sendReply(response, wire, reply, streamed, requests.length - 1);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    urls: {
      openai: `${origin}/v1`,
      responses: `${origin}/v1`,
      anthropic: origin,
      ollama: origin,
      bedrock: origin,
      google: origin,
    },
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
