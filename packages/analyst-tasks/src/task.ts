import type { Reader } from '@colophon/provenance';
import type { JobRecord } from '@colophon/workflow';
import type { z } from 'zod';
import type { OpenFile, Session } from './session.js';

/** What the tasks need of the machine. Nothing else reads the clock, the environment or a disk. */
export type AnalystContext = {
  /** Reads chats and jobs; made so that it keeps `chatExtras` of each, so that each file is parsed once. */
  reader: Reader;
  workingDirectory: string;
  /** Search roots, absolute, in order: a root given by name is looked for in their `chats/`. */
  roots: readonly string[];
  /** What `~` stands for in addresses, in and out. */
  home?: string;
  now: () => Date;
  files: AnalystFiles;
  /** The path of the chat that a reference in `from` names, as compiling finds it; undefined where there is none. */
  findChat: (reference: string, from: string) => Promise<string | undefined>;
  /** Reads a persisted job; runs nothing. */
  readJob: (path: string) => Promise<Pick<JobRecord, 'status' | 'running' | 'done'>>;
  signal?: AbortSignal;
};

/** What stands beside chats and is no evidence: inbox notes, `.jobs` files, chats not yet referred to. Nothing throws for what is missing. */
export type AnalystFiles = {
  /** Undefined where nothing stands. Times in milliseconds since 1970. */
  stat: (path: string) => Promise<{ kind: 'file' | 'folder' | 'other'; size: number; modified: number } | undefined>;
  /** Names in a folder, sorted; empty where there is none. Links are told as what they are. */
  list: (folder: string) => Promise<{ name: string; kind: 'file' | 'folder' | 'link' | 'other' }[]>;
  /** Undefined where it has vanished, is no regular file, is too large for a note, or can't be read. */
  readText: (path: string) => Promise<string | undefined>;
  /** Creates a file, and its folder where missing; throws `EEXIST` where there is one. Whoever sees the file sees all of it. */
  createFile: (path: string, text: string) => Promise<void>;
};

/** One report: what it needs, what it returns, in field names of the JSON that it prints. */
export type AnalystTask<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> = {
  name: string;
  description: string;
  /** Beside `file`, which every task takes, and `follow`, which those take that open a session. */
  input: Input;
  output: Output;
  /**
   * `session`: a chat or a job, with all that hangs below it. `chat`: the same of a chat; a job is an error. `chat file`: a chat
   * alone. `persisted chat`: one file alone, be it the result of a job.
   */
  root: 'session' | 'chat' | 'chat file' | 'persisted chat';
  /** Writes something. Absent: it only reads. */
  writes?: true;
  /** Throws for inputs that the schema takes and that still can't be meant, before anything is read. */
  check?(input: z.output<Input>, context: AnalystContext): void;
  run(session: Session, input: z.output<Input>): Promise<z.input<Output>> | z.input<Output>;
};

/** A task that opens one file alone. */
export type FileTask<Input extends z.ZodObject, Output extends z.ZodType> = Omit<AnalystTask<Input, Output>, 'run'> & {
  root: 'chat file' | 'persisted chat';
  run(file: OpenFile, input: z.output<Input>): Promise<z.input<Output>> | z.input<Output>;
};

/** Types a task from its schemas. */
export const defineTask = <Input extends z.ZodObject, Output extends z.ZodType>(
  task: AnalystTask<Input, Output>,
): AnalystTask<Input, Output> => task;

/** The same for a task that opens one file alone: a session has all that it uses. */
export const defineFileTask = <Input extends z.ZodObject, Output extends z.ZodType>(
  task: FileTask<Input, Output>,
): AnalystTask<Input, Output> => task;
