import { clearMark, markAborted } from './abort-mark.js';
import { toStoredException } from './exception.js';
import type { JobRecord } from './job.js';
import { takeLock } from './lock.js';
import type { PlannedJob } from './plan.js';
import { abortedError } from './run-errors.js';
import { writeInfo } from './store.js';
import { watchFolder } from './wait-for-change.js';
import { readPlanned } from './wait-for-end.js';

const open = new Set(['queued', 'setup', 'start', 'streaming']);

/** Records that a job which nobody runs was stopped; false where somebody runs it after all. */
const recordAborted = async (job: PlannedJob, { info }: JobRecord, reason: string): Promise<boolean> => {
  const { context } = job.plan;
  const hold = await takeLock(job.path, context);
  if (!hold) return false;
  const exception = toStoredException(abortedError(job.shortPath, reason));
  const end = context.now().toISOString();
  try {
    await writeInfo(
      job.path,
      { ...info, status: 'aborted', end, exception, abort_requested: true },
      context.randomId(),
    );
  } finally {
    await hold.release();
  }
  return true;
};

/**
 * Stops a job where it runs, in this process or another of this host, and settles when it has ended; one that is queued, or whose process
 * is dead, is recorded as aborted. What has not begun, or has ended, is left as it is.
 */
export const abortJob = async (job: PlannedJob, reason: string): Promise<void> => {
  const changes = watchFolder(job.path);
  let marked: string | undefined;
  try {
    for (;;) {
      const record = await readPlanned(job);
      const { done, running, status, info } = record;
      if (done || !open.has(status)) break;
      if (running && marked !== info.start) {
        marked = info.start;
        await markAborted(job.path, info, reason);
      } else if (!running && info.pid_hostname === (info.pid === undefined ? undefined : job.plan.context.host))
        if (await recordAborted(job, record, reason)) break;
      await changes.next();
    }
  } finally {
    changes.close();
    if (marked !== undefined) await clearMark(job.path);
  }
};
