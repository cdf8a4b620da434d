import { authorizePath } from './authorize-path.js';
import { cleanPersisted } from './clean-persisted.js';
import { dependenciesOf, type PlannedJob } from './plan.js';
import { outsideJobsError } from './run-errors.js';

/** Whether a job is in the folder that jobs of its context are written to, links resolved. */
const isOwn = async ({ path, plan: { context } }: PlannedJob): Promise<boolean> =>
  (await authorizePath(path, { root: context.jobs, base: context.jobs, mode: 'write' })).allowed;

/** Removes the files of a job. Throws as `cleanPersisted` does, and `outside_jobs` where it is not in the folder that jobs are written to. */
export const cleanJob = async (job: PlannedJob): Promise<void> => {
  if (!(await isOwn(job))) throw outsideJobsError(job.path, job.plan.context.jobs);
  await cleanPersisted(job.path, job.plan.context);
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
  for (const one of order) if (one === job || (await isOwn(one))) await cleanJob(one);
};
