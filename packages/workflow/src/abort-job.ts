import { clearMark, markAborted } from './abort-mark.js';
import { toStoredException } from './exception.js';
import { isHeld } from './lock.js';
import type { PlannedJob } from './plan.js';
import { abortedError } from './run-errors.js';
import { writeInfo } from './store.js';
import { takeSwept } from './sweep.js';
import { watchFolder } from './wait-for-change.js';
import { readPlanned } from './wait-for-end.js';

const open = new Set(['queued', 'setup', 'start', 'streaming']);

/** Records that a job which nobody runs was stopped; false where somebody runs it. */
const recordAborted = async (job: PlannedJob, reason: string): Promise<boolean> => {
  const { context } = job.plan;
  const hold = await takeSwept(job.path, context);
  if (!hold) return false;
  const exception = toStoredException(abortedError(job.shortPath, reason));
  const end = context.now().toISOString();
  try {
    // As it is now: it may have ended before we had its lock.
    const { done, status, info } = await readPlanned(job);
    if (done || !open.has(status)) return true;
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
 * Stops a job where it runs, in this process, another, or on another host that shares its folder, and settles when it has ended; one that is
 * queued, or whose process is gone, is recorded as aborted. What has not begun, or has ended, is left as it is.
 */
export const abortJob = async (job: PlannedJob, reason: string): Promise<void> => {
  const changes = watchFolder(job.path);
  let marked: string | undefined;
  try {
    for (;;) {
      const { done, status, info } = await readPlanned(job);
      if (done || !open.has(status)) break;
      if (await isHeld(job.path, job.plan.context)) {
        if (marked !== info.start) await markAborted(job.path, info, reason);
        marked = info.start;
      } else if (await recordAborted(job, reason)) break;
      await changes.next();
    }
  } finally {
    changes.close();
    if (marked !== undefined) await clearMark(job.path);
  }
};
