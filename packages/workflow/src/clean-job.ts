import { authorizePath } from './authorize-path.js';
import type { WorkflowContext } from './context.js';
import { shortPath } from './job-paths.js';
import { takeLock } from './lock.js';
import { dependenciesOf, type PlannedJob } from './plan.js';
import { readJob } from './read-job.js';
import { jobRunningError, outsideJobsError } from './run-errors.js';
import { removeJob } from './store.js';
import { sweepTemporary } from './sweep.js';

/**
 * Removes the result, `.info` and `.files/` of a persisted job, given by its path; its workflow need not be known. Throws `job_running`
 * where somebody runs it.
 */
export const cleanJob = async (
  path: string,
  { host, isAlive, now }: Pick<WorkflowContext, 'host' | 'isAlive' | 'now'>,
): Promise<void> => {
  const { info, done, status, running } = await readJob(path, { host, isAlive, now });
  if (!done && status === 'noinfo' && !running) return removeJob(path);
  const hold = await takeLock(path, { host, isAlive, now });
  if (!hold) throw jobRunningError(shortPath(path), 'cleaned', info.pid, info.pid_hostname);
  try {
    await removeJob(path);
    await sweepTemporary(path);
  } finally {
    await hold.release();
  }
};

/** Whether a job is in the folder that jobs of its context are written to, links resolved. */
const isOwn = async ({ path, plan: { context } }: PlannedJob): Promise<boolean> =>
  (await authorizePath(path, { root: context.jobs, base: context.jobs, mode: 'write' })).allowed;

/** Removes the files of a job. Throws as `cleanJob` does, and `outside_jobs` where it is not in the folder that jobs are written to. */
export const cleanOwn = async (job: PlannedJob): Promise<void> => {
  if (!(await isOwn(job))) throw outsideJobsError(job.path, job.plan.context.jobs);
  await cleanJob(job.path, job.plan.context);
};

/** The same for a job and all that it needs, which come first; what is needed and stands in other folders is left alone. */
export const cleanRecursively = async (job: PlannedJob): Promise<void> => {
  const order: PlannedJob[] = [];
  const seen = new Set<string>([job.path]);
  const open: { job: PlannedJob; next: PlannedJob[] }[] = [{ job, next: dependenciesOf(job) }];
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const needed = top.next.pop();
    if (!needed) {
      order.push(top.job);
      open.pop();
    } else if (!seen.has(needed.path)) {
      seen.add(needed.path);
      open.push({ job: needed, next: dependenciesOf(needed) });
    }
  }
  for (const one of order) if (one === job || (await isOwn(one))) await cleanOwn(one);
};
