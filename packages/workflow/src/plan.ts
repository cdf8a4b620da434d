import type { WorkflowContext } from './context.js';
import type { Job } from './job.js';
import type { ResultType } from './result-types.js';
import { foreignJobError } from './run-errors.js';
import type { Inputs, Task } from './workflow.js';

/** What running a job takes beside what the job shows. */
export type Plan = {
  context: WorkflowContext;
  definition: Task;
  resultType: ResultType;
  /** What the task's function gets. */
  own: Inputs;
  /** Names and values of all inputs, in the order in which they are recorded. */
  inputNames: string[];
  /** The name that was given, and is passed on to what it needs; absent where an input names it, or nothing does. */
  jobName: string | undefined;
  hasDigest: boolean;
  /** Makes other jobs of the same context. */
  createJob: (workflow: string, task: string, inputs: Inputs, options: { jobName?: string }) => Promise<Job>;
  /** Paths of dependencies that may fail. */
  optional: ReadonlySet<string>;
};

/** A job as `createJob` makes it. */
export type PlannedJob = Job & { plan: Plan };

/** All direct dependencies of a job. */
export const dependenciesOf = ({ dependencies }: Pick<Job, 'dependencies'>): PlannedJob[] =>
  Object.values(dependencies).flat() as PlannedJob[];

/** The job as it was made. Throws `foreign_job`. */
export const planned = (job: Job): PlannedJob => {
  if (typeof job !== 'object' || job === null || !('plan' in job)) throw foreignJobError(job);
  return job as PlannedJob;
};
