import type { JobRecord } from './job.js';
import { isHeld } from './lock.js';
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

const begun = new Set(['setup', 'start', 'streaming']);

/** Throws what made a job fail, where it has failed and nobody runs it; `no_run` where its `.info` says that it runs, and nobody does. */
export const throwFailure = async (job: PlannedJob): Promise<void> => {
  const held = await isHeld(job.path, job.plan.context);
  // Read after the lock: a run records how it ended before it lets go.
  const { status, exception, running, info, done } = await readPlanned(job);
  if (held || running || done) return;
  if (status === 'error' || status === 'aborted')
    throw exception ? toError(exception) : new Error(`${job.shortPath} has the status ${status}`);
  if (!begun.has(status) || (await isHeld(job.path, job.plan.context))) return;
  // A run may have begun and ended between the looks.
  const later = await readPlanned(job);
  if (!later.done && begun.has(later.status) && later.info.start === info.start)
    throw noRunError(job.shortPath, info.pid, info.pid_hostname);
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
