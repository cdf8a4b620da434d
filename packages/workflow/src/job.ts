import type { RequestContext } from './request-context.js';
import type { Inputs } from './workflow.js';

/** Statuses that a job's `.info` may hold. Any other word that a task wrote is kept as it is. */
export const statuses = [
  'waiting',
  'queued',
  'setup',
  'start',
  'streaming',
  'done',
  'error',
  'aborted',
  'cleaned',
  'noinfo',
] as const;

/** One of them. */
export type Status = (typeof statuses)[number];

/** A failure as it is stored: plain JSON. `code`: that of an error of the project or the system. */
export type StoredException = {
  name: string;
  message: string;
  code?: string;
  stack?: string;
  cause?: StoredException;
};

/**
 * What a `.info` holds. Times are ISO text in what we write, `YYYY-MM-DD HH:MM:SS +ZZZZ` in what the original wrote; `time_elapsed`
 * in seconds. Every key may be missing, unknown ones are kept.
 */
export type JobInfo = {
  status?: string;
  workflow?: string;
  task_name?: string;
  type?: string;
  issued?: string;
  start?: string;
  end?: string;
  time_elapsed?: number;
  total_time_elapsed?: number;
  pid?: number;
  pid_hostname?: string;
  /** Values in the order of `input_names`. */
  inputs?: unknown[];
  input_names?: string[];
  provided_inputs?: Inputs;
  non_default_inputs?: string[];
  /** Absolute paths of direct dependencies. */
  dependencies?: string[];
  messages?: string[];
  exception?: StoredException;
  backtrace?: string[];
  [key: string]: unknown;
};

/** Something odd about a persisted job; `address` is the path (and key) where it stands. */
export type JobWarning = { code: string; message: string; address: string };

/** A persisted job as it was read: what is there, and warnings for what is not as it should be. Reading runs nothing. */
export type JobRecord = {
  /** Absolute path of its result, which need not exist. */
  path: string;
  /** `<Workflow>/<task>/<file name>`. */
  shortPath: string;
  workflow: string;
  task: string;
  /** File name of the result, with digest and extension. */
  name: string;
  /** `name` without digest and extension. */
  cleanName: string;
  type?: string;
  /** As recorded; `done` where there is a result and no `.info`; `noinfo` where there is neither or the `.info` is unreadable. */
  status: string;
  /** The recorded process lives on this host and its lock is fresh. */
  running: boolean;
  /** There is a result. */
  done: boolean;
  inputs: Inputs;
  /** Absolute paths where they were found, else as recorded. */
  dependencies: string[];
  messages: string[];
  exception?: StoredException;
  info: JobInfo;
  /** Names below `.files/`, sorted; read only when asked for. */
  files?: string[];
  warnings: JobWarning[];
};

/** What a task tells while it runs; `done` of `total` in the task's own unit. */
export type JobProgress = { message?: string; done?: number; total?: number };

/** A change of a job in a running graph. */
export type ProgressEvent =
  | { kind: 'start' | 'done' | 'reused' | 'aborted'; job: Job }
  | { kind: 'error'; job: Job; exception: StoredException }
  | { kind: 'retry'; job: Job; exception: StoredException; attempt: number; delay: number }
  | { kind: 'progress'; job: Job; progress: JobProgress };

/** What running needs beside the jobs. */
export type RunOptions = {
  /** Jobs that run at the same time. */
  concurrency?: number;
  engine?: Engine;
  signal?: AbortSignal;
  onProgress?: (event: ProgressEvent) => void;
  /** Tries after a failure, where the task does not say. */
  retry?: number;
  /** Runs a finished job again. */
  update?: boolean;
};

/** One persisted run of a task: where its files are, and what can be done with it. All its state is in its files. */
export type Job = {
  path: string;
  shortPath: string;
  workflow: string;
  task: string;
  name: string;
  type: string;
  /** All inputs of its task, defaults filled in. */
  inputs: Inputs;
  /** Those that were given and differ from their defaults, own and inherited. */
  provided: Inputs;
  /** Of the task's identity, all inputs and the dependencies' digests: 32 hex digits. */
  digest: string;
  /** Direct dependencies by the name in `needs`; a list where the declaration gives several. */
  dependencies: Record<string, Job | Job[]>;
  /** Produces what it needs and itself, and loads its result; throws what made it fail. */
  run: (options?: RunOptions) => Promise<unknown>;
  /** Waits until it ends, whoever runs it; throws what made it fail. */
  join: (options?: { signal?: AbortSignal }) => Promise<void>;
  /** Its result by type. Throws where there is none. */
  load: () => Promise<unknown>;
  /** The bytes of its result, as they grow where it is still being written. */
  stream: () => AsyncIterable<Uint8Array>;
  read: () => Promise<JobRecord>;
  /** Removes its result, `.info` and `.files/`. */
  clean: () => Promise<void>;
  /** The same for all that it depends on, dependencies first. */
  recursiveClean: () => Promise<void>;
  /** Stops it where it runs, in this process or another one of this host. */
  abort: (reason?: string) => Promise<void>;
};

/** What a task's function gets beside its inputs. */
export type Step = {
  path: string;
  shortPath: string;
  workflow: string;
  task: string;
  name: string;
  inputs: Inputs;
  /** Aborted when the run is stopped or its time is up. */
  signal: AbortSignal;
  /** The finished job that `needs` names; throws where there is none, or several. */
  dependency: (name: string) => Job;
  /** All jobs of a dependency. */
  dependencyList: (name: string) => Job[];
  /** Absolute path of an artifact in `.files/`, whose folder is made; a name that leaves the folder throws. */
  file: (name: string) => Promise<string>;
  /** Where a task may write its result itself, returning nothing; renamed when it ends. */
  temporaryPath: string;
  /** What is known of the request behind it; empty where nothing is. */
  requestContext: RequestContext;
  /** What the program that runs it offers, by name. */
  services: Readonly<Record<string, () => unknown>>;
  /** Adds a line to `messages`. */
  log: (message: string) => Promise<void>;
  /** Sets keys of the `.info`. */
  setInfo: (values: Record<string, unknown>) => Promise<void>;
  progress: (progress: JobProgress) => void;
  /** A job of the same context, to be run or loaded by the task. */
  job: (workflow: string, task: string, inputs?: Inputs, options?: { jobName?: string }) => Promise<Job>;
};

/**
 * Where the body of a job runs. `path` is that of a job whose `.info` (workflow, task, inputs, dependencies) is on disk and whose
 * dependencies are done, so that a queue can take it: it enqueues the path, a worker anywhere runs it, and `run` settles when the
 * job's files say that it ended. `work` runs it in this process. `heartbeat` is to be called at least every few seconds while
 * the job lives elsewhere; `signal` cancels.
 */
export type Engine = {
  name: string;
  run: (
    path: string,
    options: { work: () => Promise<void>; signal: AbortSignal; heartbeat: () => void },
  ) => Promise<void>;
};
