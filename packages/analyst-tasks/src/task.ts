import type { Reader } from '@colophon/provenance';
import type { JobRecord } from '@colophon/workflow';
import type { z } from 'zod';
import type { Session } from './session.js';

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
  /** Undefined where it has vanished or can't be read. */
  readText: (path: string) => Promise<string | undefined>;
  /** Creates a file, and its folder where missing; throws `EEXIST` where there is one. */
  createFile: (path: string, text: string) => Promise<void>;
};

/** One report: what it needs, what it returns, in field names of the JSON that it prints. */
export type AnalystTask<Input extends z.ZodObject = z.ZodObject, Output extends z.ZodType = z.ZodType> = {
  name: string;
  description: string;
  /** Beside `file` and `follow`, which every task takes. */
  input: Input;
  output: Output;
  /** `session`: a chat or a job. `chat`: a chat only; a job is an error. `persisted chat`: one file, read without what hangs below it. */
  root: 'session' | 'chat' | 'persisted chat';
  /** Writes something. Absent: it only reads. */
  writes?: true;
  run: (session: Session, input: z.output<Input>) => Promise<z.input<Output>> | z.input<Output>;
};

/** Types a task from its schemas. */
export const defineTask = <Input extends z.ZodObject, Output extends z.ZodType>(
  task: AnalystTask<Input, Output>,
): AnalystTask<Input, Output> => task;
