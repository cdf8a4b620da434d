import { asPartOf } from './ancestry.js';
import { toStoredException } from './exception.js';
import type { JobProgress } from './job.js';
import type { JobLog } from './job-log.js';
import { onAbort } from './on-abort.js';
import type { PlannedJob } from './plan.js';
import { runBody } from './run-body.js';
import { codeOf } from './run-errors.js';
import type { JobRun } from './run-job.js';
import { dropResult } from './write-result.js';

const firstDelay = 500;
const longestDelay = 30_000;

// Trying again mends neither what is wrong with the task nor what somebody asked for.
const isFinal = (error: unknown): boolean =>
  [
    'aborted',
    'wrong_type',
    'nothing_returned',
    'lock_lost',
    'outside_files',
    'recursive_job',
    'unknown_dependency',
    'bad_info',
  ].includes(String(codeOf(error)));

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => {
      stopListening();
      resolve();
    }, milliseconds);
    const stopListening = onAbort(signal, () => {
      clearTimeout(timer);
      resolve();
    });
  });

/**
 * Runs a task until it succeeds, or has failed as often as it may; gives the path of what it wrote. Each attempt has a `place` of its own, so that
 * one that was given up and still writes spoils no other. Waits half a second after the first failure, twice as long after each further
 * one, at most 30 s.
 */
export const tryBody = async (
  job: PlannedJob,
  { log, signal, place }: { log: JobLog; signal: AbortSignal; place: (attempt: number) => string },
  run: Pick<JobRun, 'retry' | 'onRetry' | 'onProgress'>,
): Promise<string> => {
  const tries = job.plan.definition.retry ?? run.retry ?? 0;
  for (let attempt = 0; ; attempt++) {
    const temporary = place(attempt);
    const onProgress = (progress: JobProgress) => run.onProgress?.(progress);
    try {
      await asPartOf(job.path, () => runBody(job, { log, signal, temporaryPath: temporary, onProgress }));
      return temporary;
    } catch (error) {
      await dropResult(temporary);
      if (attempt >= tries || isFinal(error) || signal.aborted) throw error;
      const exception = toStoredException(error);
      const delay = Math.min(firstDelay * 2 ** attempt, longestDelay);
      await log.message(`${exception.name}: ${exception.message}`);
      run.onRetry?.(exception, attempt + 1, delay);
      await pause(delay, signal);
    }
  }
};
