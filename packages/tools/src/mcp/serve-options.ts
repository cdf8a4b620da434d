import type { Readable, Writable } from 'node:stream';

/** One client, over this program's own input and output (or other streams). */
export type StdioPlace = {
  kind: 'stdio';
  /**
   * Default: the program's. While serving, what else the program writes to its standard output goes to its standard error, since
   * the protocol alone may stand there; processes that tools start with this program's output are not caught by that.
   */
  input?: Readable;
  output?: Writable;
};

/** Many clients, each with a session of its own, by streamable HTTP. */
export type HttpPlace = {
  kind: 'http';
  /** Default 127.0.0.1: this machine only. Any other place needs a `bearer`. */
  host?: string;
  /** 0 takes a free one. */
  port: number;
  /** Default `/mcp`. */
  path?: string;
  /** The key that every request must show as `Authorization: Bearer …`. */
  bearer?: string;
  /**
   * Names by which clients reach the server, without port, beside `localhost`, `127.0.0.1`, `[::1]` and `host`. A request for another
   * host, or from a page of another one, is refused: it comes from a browser that was led here.
   */
  allowedHosts?: readonly string[];
  /** Bytes of the longest request; default 32 MiB. */
  maxBodyBytes?: number;
  /** Milliseconds after which a session that nobody uses is closed; default an hour. */
  sessionIdle?: number;
  /** Sessions at a time; default 1,000. */
  maxSessions?: number;
  /** Makes the ids of sessions: whoever knows one is in. Must not be guessable, such as `crypto.randomUUID`. */
  randomId: () => string;
};

/** How tools are served. */
export type ServeOptions = {
  /** How the server introduces itself. */
  name: string;
  version: string;
  transport: StdioPlace | HttpPlace;
  now: () => Date;
  /** Ends serving. */
  signal?: AbortSignal | undefined;
  /** Milliseconds a call may take, default 600,000; a tool's own `timeout` beats it. */
  timeLimit?: number | undefined;
  /** Characters of one result; default all of them, since it is the client that knows what its model bears. */
  maxContentLength?: number | undefined;
  /** Added to the context that each tool gets. */
  toolContext?: Record<string, unknown> | undefined;
  /** Told what is odd and stops nothing: lines that are no protocol, refused requests. */
  onWarning?: ((text: string) => void) | undefined;
};

/** Tools that are being served. */
export type Serving = {
  /** `http://127.0.0.1:4100/mcp`; undefined over stdio. */
  address: string | undefined;
  /** Resolves when serving is over: closed, stopped by the signal, or left by the client of stdio. */
  ended: Promise<void>;
  /** Ends serving: running calls are aborted, sessions closed. Never rejects. */
  close: () => Promise<void>;
};
