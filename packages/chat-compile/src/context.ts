import type { Chat, Message } from '@colophon/chat-format';

/**
 * What compiling may do. `run`: everything (a chat that the user named). `read`: nothing is executed; a directive that would
 * is an error. `inspect`: directives stay in place untouched.
 */
export type Policy = 'run' | 'read' | 'inspect';

/** What is known of a path without opening it. `size` in bytes. */
export type FileFacts = { kind: 'file' | 'directory' | 'other'; size: number };

/** The disk and the network, as functions: the core of this package touches neither. Paths are absolute. */
export type Files = {
  stat: (path: string) => Promise<FileFacts | undefined>;
  readBytes: (path: string) => Promise<Uint8Array>;
  /** Names in a folder, unsorted. */
  list: (path: string) => Promise<string[]>;
  /** Text of an `http(s)` address. Absent: such addresses are an error. */
  fetchText?: (url: string, signal?: AbortSignal) => Promise<string>;
};

/** A job as compiling needs it: made by `Workflows.job`, produced together by `Workflows.produce`, then read. */
export type JobHandle = {
  /** Absolute path of its result. */
  path: string;
  /** `<Workflow>/<task>/<name>`. */
  shortPath: string;
  workflow: string;
  task: string;
  /** The inputs that were given. */
  inputs: Record<string, unknown>;
  status: () => Promise<{ status: string; exception?: string }>;
  load: () => Promise<unknown>;
  /** Paths of the jobs that it depends on, nearest first. */
  dependencies: () => Promise<string[]>;
};

/** The workflow engine, handed in by the layer above. */
export type Workflows = {
  /** Creates a job without running it. */
  job: (workflow: string, task: string, inputs: Record<string, unknown>, options: { name?: string }) => Promise<JobHandle>;
  /** Reads a persisted job by path or short path. */
  load: (path: string) => Promise<JobHandle>;
  produce: (jobs: JobHandle[], options: { signal?: AbortSignal }) => Promise<void>;
  /** Runs a task at once, without a job. */
  execute: (workflow: string, task: string, inputs: Record<string, unknown>, options: { signal?: AbortSignal }) => Promise<unknown>;
};

/** `key value token…`, as `config:` sets it. */
export type ConfigEntry = { key: string; value: string; tokens: string[] };

/** Everything that a stage needs. Two compilations at once share none of its mutable parts. */
export type CompileContext = {
  /** Absolute path (or URL) of the file that the chat came from; absent for text and arrays. */
  origin?: string;
  workingDirectory: string;
  /** Search roots, in order, absolute. */
  roots: string[];
  files: Files;
  policy: Policy;
  workflows?: Workflows;
  /** Entries set by `config:`; stages append to it. */
  config: ConfigEntry[];
  /** Paths granted by `allow_path` and `allow_read_path`; stages append to them. */
  grants: { writable: string[]; readable: string[] };
  /** Put a failed job's exception into the chat as `{"exception": …}` instead of stopping. */
  inlineExceptions?: boolean;
  limits: { importDepth: number; totalCharacters: number; fileBytes: number };
  signal?: AbortSignal;
  log?: (line: string) => void;
  /** Files that are being imported, outermost first: `a.chat:3 → b.chat:1`. */
  chain?: { file: string; line?: number }[];
};

/** One step of compiling. */
export type Stage = (chat: Chat, context: CompileContext) => Chat | Promise<Chat>;

/** What `compileChat` takes: chat text, a file, or messages (strings among them are `user` messages). */
export type CompileInput = string | { file: string } | readonly (Message | string)[];
