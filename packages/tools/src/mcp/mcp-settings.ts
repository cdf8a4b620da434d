import type { McpServer } from '../declarations/declaration.js';

/**
 * How a server is reached, as configuration has it: by `url` or by `command`. Only `command` takes `env` and
 * `workingDirectory`, only `url` takes `key` and `headers`.
 */
export type McpSettings = {
  /** `http://…` or `https://…`. */
  url?: string;
  /** The words of a command, or one text that is split as a shell does; no shell runs it. */
  command?: string | readonly string[];
  /** Sent as `Authorization: Bearer …`, unless `headers` has an `Authorization` of its own. */
  key?: string;
  headers?: Readonly<Record<string, string>>;
  /** Added to the few variables that a server's process gets. */
  env?: Readonly<Record<string, string>>;
  workingDirectory?: string;
  /** Milliseconds a call may take; beats the time limit of the run. */
  timeout?: number;
  /** Only these tools, by the server's names or by ours. */
  tools?: readonly string[];
};

/** What the clients of a run need from outside. */
export type McpClientsOptions = {
  /** How we introduce ourselves to servers. */
  clientInfo: { name: string; version: string };
  /** The environment of which servers that are processes get `HOME LOGNAME PATH SHELL TERM USER`, and nothing else. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Where servers that are processes run, unless their settings say. */
  workingDirectory?: string | undefined;
  /**
   * Settings from configuration. For `{kind: 'named'}` they say where the server is; for an address or a command they add key,
   * headers, environment and time limit. Undefined where there are none.
   */
  settings?: ((server: McpServer) => McpSettings | undefined | Promise<McpSettings | undefined>) | undefined;
  /** Names that the configuration has, for the error about another one. */
  names?: readonly string[] | undefined;
  /** Milliseconds for connecting and listing the tools; default 60,000, since some commands download their server first. */
  connectTimeout?: number | undefined;
  /** Milliseconds between the steps of ending a process: closed input, SIGTERM, SIGKILL; default 2,000. */
  grace?: number | undefined;
  /** Characters of base64 data that a result keeps of one image, sound or file; default 32,768. */
  maxDataLength?: number | undefined;
  /** Stops connecting, and every call. */
  signal?: AbortSignal | undefined;
  /** Told what is odd about a server and stops nothing: a tool that can't be taken, lines that are no protocol. */
  onWarning?: ((text: string) => void) | undefined;
  /** Gets what a server's process writes to its standard error, line by line. */
  onStderr?: ((line: string, server: string) => void) | undefined;
};
