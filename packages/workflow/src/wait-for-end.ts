import type { JobRecord } from './job.js';
import type { PlannedJob } from './plan.js';
import { readJob } from './read-job.js';
import { noRunError, toError } from './run-errors.js';
import { hasResult } from './store.js';
import { watchFolder } from './wait-for-change.js';

/** A job as its files have it now. */
export const readPlanned = ({ path, plan: { context } }: PlannedJob): Promise<JobRecord> => {
  const { jobs, jobRoots = [], host, isAlive, now } = context;
  return readJob(path, { roots: [jobs, ...jobRoots], host, isAlive, now });
};

/** Throws what made a job fail, where it has failed and nobody runs it; `no_run` where its process is dead. */
export const throwFailure = async (job: PlannedJob): Promise<void> => {
  const { status, exception, running, info } = await readPlanned(job);
  if (running) return;
  if (status === 'error' || status === 'aborted')
    throw exception ? toError(exception) : new Error(`${job.shortPath} has the status ${status}`);
  const { pid, pid_hostname: host } = info;
  const { context } = job.plan;
  const began = status === 'start' || status === 'streaming' || status === 'setup';
  if (began && pid !== undefined && host === context.host && !context.isAlive(pid))
    throw noRunError(job.shortPath, pid);
};

/** Waits until a job has ended, whoever runs it. Throws what made it fail. */
export const waitForEnd = async (job: PlannedJob, { signal }: { signal?: AbortSignal } = {}): Promise<void> => {
  const changes = watchFolder(job.path);
  try {
    while (!(await hasResult(job.path))) {
      await throwFailure(job);
      await changes.next(signal);
    }
  } finally {
    changes.close();
  }
};
