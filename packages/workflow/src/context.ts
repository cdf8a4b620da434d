import type { RequestContext } from './request-context.js';
import type { ResultTypes } from './result-types.js';
import type { Workflow } from './workflow.js';

/** What jobs need to know of the machine. Nothing else reads the clock, chance, the environment or a process. */
export type WorkflowContext = {
  /** Folder that new jobs are written to: `<root>/var/jobs`. */
  jobs: string;
  /** Further `var/jobs` folders in which finished jobs are found, read only, in order. */
  jobRoots?: readonly string[];
  /** Finds a workflow by name; undefined where there is none. */
  findWorkflow: (name: string) => Promise<Workflow | undefined>;
  /** The result types; the package's own table unless told otherwise. */
  resultTypes?: ResultTypes;
  now: () => Date;
  randomId: () => string;
  pid: number;
  host: string;
  /** Whether a process of this host lives. */
  isAlive: (pid: number) => boolean;
  /** Environment that command tasks get. */
  environment?: Readonly<Record<string, string | undefined>>;
  /** What is known of the request behind the jobs, kept in their `.info` (see `toRequestContext`): no input, and no part of what a job is. */
  requestContext?: RequestContext;
  /** What tasks may use of the program that runs them, by name, such as `agents`; made when a task asks. */
  services?: Readonly<Record<string, () => unknown>>;
  log?: (line: string) => void;
};
