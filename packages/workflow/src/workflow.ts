import type { z } from 'zod';
import type { Step } from './job.js';

/** Values of a task's inputs, by name. */
export type Inputs = Record<string, unknown>;

/** What a dependency is given: values that are fixed, or a function of the inputs of the task that needs it. */
export type FixedInputs = Inputs | ((inputs: Inputs) => Inputs | Inputs[]);

/**
 * A task that another one needs. Inputs that are not fixed here are inherited. Where `inputs` is a function that returns a list,
 * there is one job for each of its elements. `allowFailure`: the task that needs it runs although this one failed.
 */
export type Dependency = {
  /** Name of another workflow; absent: the workflow that the declaration stands in. */
  workflow?: string;
  task: string;
  inputs?: FixedInputs;
  jobName?: string;
  allowFailure?: boolean;
};

/**
 * A typed function whose runs are kept. `input`: a zod object. `type`: a name of the result-type table. `needs`: dependencies by
 * the name under which the function asks for them.
 */
export type Task = {
  description?: string;
  input?: z.ZodObject;
  type: string;
  needs?: Record<string, Dependency>;
  /** Extension of the result's file, without dot; absent: that of the type. */
  extension?: string;
  /** Its result depends on more than its inputs: a finished job is run again. */
  fresh?: boolean;
  /** How often a failed run is tried again; 0 by default. */
  retry?: number;
  /** Milliseconds that a run may take; none by default. */
  timeLimit?: number;
  /** Name of the input whose value names the job where nothing else does. */
  jobNameInput?: string;
  /** Changes nothing outside its job. Absent means unknown; shown to clients of an MCP server. */
  readOnly?: boolean;
  /** May delete or overwrite what it did not make. Absent means unknown. */
  destructive?: boolean;
  /** Runs in a process of its own; set by `command`. */
  program?: CommandLine;
  run: (inputs: never, step: Step) => unknown;
};

/** The program behind a `command` task, with how it gets its inputs. */
export type CommandLine = {
  /** Program and words; or a shell script, which gets its inputs as environment variables and flags as `"$@"`. */
  argv?: readonly string[];
  script?: string;
  /** Where each input goes: `flag` (`--name value`), `environment` (upper case), `stdin`. Absent: `flag`. */
  passing?: Record<string, 'flag' | 'environment' | 'stdin'>;
};

/** A named set of tasks. `exported`: those that are offered as tools; absent, all. */
export type Workflow = {
  name: string;
  title?: string;
  description?: string;
  tasks: Record<string, Task>;
  exported?: readonly string[];
  /** File that it was loaded from. */
  file?: string;
};
