import type { JobInfo } from './job.js';
import { dependenciesOf, type PlannedJob } from './plan.js';
import { keptRequestContext } from './request-context.js';

/** What an `.info` says of a job, however it goes: enough to make the same job of it elsewhere. Its lock is held. */
export const describeJob = async (job: PlannedJob): Promise<JobInfo> => ({
  workflow: job.workflow,
  task_name: job.task,
  type: job.type,
  inputs: job.plan.inputNames.map((name) => job.inputs[name] ?? null),
  input_names: job.plan.inputNames,
  provided_inputs: job.provided,
  non_default_inputs: Object.keys(job.provided),
  dependencies: dependenciesOf(job).map(({ path }) => path),
  ...(job.plan.jobName === undefined ? {} : { job_name: job.plan.jobName }),
  ...(await keptRequestContext(job.path, job.plan.context.requestContext)),
});
