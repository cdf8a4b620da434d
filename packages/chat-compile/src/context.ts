import type { Chat, Message } from '@colophon/chat-format';

/**
 * What compiling may do. `run`: everything (a chat that the user named). `read`: files are read, nothing is executed; a directive
 * that would is an error. `inspect`: nothing is read, run or dropped; every directive stays in place untouched.
 */
export type Policy = 'run' | 'read' | 'inspect';

/** What is known of a path without opening it. `size` in bytes. */
export type FileFacts = { kind: 'file' | 'directory' | 'other'; size: number };

/** The disk and the network, as functions: the core of this package touches neither. Paths are absolute. */
export type Files = {
  /** Follows links; undefined where there is nothing. */
  stat: (path: string) => Promise<FileFacts | undefined>;
  /** The bytes of a file, or the first `length` of them. */
  readBytes: (path: string, length?: number) => Promise<Uint8Array>;
  /** Names in a folder, unsorted. */
  list: (path: string) => Promise<string[]>;
  /** Where a path really is, links resolved. Absent: there are no links. */
  realPath?: (path: string) => Promise<string>;
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
  /** `done` means that there is a result, `error` that it failed; anything else would have to run. */
  status: () => Promise<{ status: string; exception?: string }>;
  /** The result as a value; a chat as its messages. */
  load: () => Promise<unknown>;
  /** Paths of the jobs that it depends on, nearest first. */
  dependencies: () => Promise<string[]>;
};

/** The workflow engine, handed in by the layer above. */
export type Workflows = {
  /** Creates a job without running it. */
  job: (
    workflow: string,
    task: string,
    inputs: Record<string, unknown>,
    options: { name?: string; requestContext?: Record<string, unknown> },
  ) => Promise<JobHandle>;
  /** Reads a persisted job by path or short path. */
  load: (path: string) => Promise<JobHandle>;
  /** Runs jobs together; a job that fails says so in its status. */
  produce: (jobs: JobHandle[], options: { signal?: AbortSignal }) => Promise<void>;
  /** Runs a task at once, without a job. */
  execute: (
    workflow: string,
    task: string,
    inputs: Record<string, unknown>,
    options: { signal?: AbortSignal },
  ) => Promise<unknown>;
};

/** `key value token…`, as `config:` sets it. */
export type ConfigEntry = { key: string; value: string; tokens: string[] };

/**
 * Sizes at which compiling stops. `importDepth`: files in a chain of imports. `totalCharacters`: what imports, and what files, may
 * add to one chat; an imported message counts 100 more than its content. `fileBytes`: one `file:`.
 */
export type Limits = { importDepth: number; totalCharacters: number; fileBytes: number };

/** A line that imports: its file as it was named and as it really is, where it has one. */
export type ImportLink = { file?: string; line?: number; real?: string };

/** A chat that was imported, compiled and measured. */
export type ImportedChat = { chat: Chat; characters: number };

/** Everything that a stage needs. Two compilations at once share none of its mutable parts. */
export type CompileContext = {
  /** Absolute path (or URL) of the file that the chat came from; absent for text and arrays. */
  origin?: string;
  workingDirectory: string;
  /** Search roots, in order, absolute. */
  roots: string[];
  /** What `~/` stands for. Absent: `~` is a name like any other. */
  home?: string;
  files: Files;
  policy: Policy;
  workflows?: Workflows;
  /** What is known of the request, kept with the jobs of the chat: no part of what they are. */
  requestContext?: Record<string, unknown>;
  /** Entries set by `config:`; stages append to it. */
  config: ConfigEntry[];
  /** Paths granted by `allow_path` and `allow_read_path`, absolute; stages append to them. */
  grants: { writable: string[]; readable: string[] };
  /** Put a failed job's exception into the chat as `{"exception": …}` instead of stopping. */
  inlineExceptions?: boolean;
  limits: Limits;
  signal?: AbortSignal;
  log?: (line: string) => void;
  /** The order of stages, where it is not the exported list. */
  stages?: readonly Stage[];
  /** Files that are being imported, outermost first: `a.chat:3 → b.chat:1`. Kept by `imports`. */
  chain?: ImportLink[];
  /** Chats that this compilation has imported so far. Kept by `imports`. */
  imported?: Map<string, ImportedChat>;
};

/** One step of compiling. It returns a new array or the one it was given, and changes no message. */
export type Stage = (chat: Chat, context: CompileContext) => Chat | Promise<Chat>;

/** What `compileChat` takes: chat text, a file, or messages (strings among them are `user` messages). */
export type CompileInput = string | { file: string } | readonly (Message | string)[];

/** What a context is made of: where files are looked for, and how they are read. */
export type ContextOptions = Partial<Omit<CompileContext, 'limits'>> &
  Pick<CompileContext, 'workingDirectory' | 'files'> & { limits?: Partial<Limits> };

const defaultLimits: Limits = { importDepth: 32, totalCharacters: 20_000_000, fileBytes: 5_000_000 };

/**
 * Makes the context of one compilation. Configuration and grants are copied, so a context made from another one shares nothing
 * with it: build one when the program starts, and `createContext(base)` for each chat. Policy is `run`, the working directory is the
 * only root, depth 32, 20 million characters, 5 million bytes a file, unless told otherwise.
 */
export const createContext = (options: ContextOptions): CompileContext => ({
  roots: [options.workingDirectory],
  policy: 'run',
  ...options,
  config: [...(options.config ?? [])],
  grants: { writable: [...(options.grants?.writable ?? [])], readable: [...(options.grants?.readable ?? [])] },
  limits: { ...defaultLimits, ...options.limits },
});
