import { rm } from 'node:fs/promises';
import { clearMark, followMark } from './abort-mark.js';
import { asWaiting, wouldWaitForItself } from './ancestry.js';
import { describeJob } from './describe-job.js';
import { toStoredException } from './exception.js';
import type { JobInfo, JobProgress, StoredException } from './job.js';
import { type JobLog, keepLog } from './job-log.js';
import { temporaryPath } from './job-paths.js';
import type { Hold } from './lock.js';
import { onAbort } from './on-abort.js';
import type { Outcome } from './outcome.js';
import type { PlannedJob } from './plan.js';
import { readJob } from './read-job.js';
import { recursiveFailure } from './record-failure.js';
import { abortedError, codeOf, lockLostError } from './run-errors.js';
import { makeFolder, moveIntoPlace, resultMark } from './store.js';
import { takeSwept } from './sweep.js';
import { toClearError } from './system-errors.js';
import { tryBody } from './try-body.js';
import { watchFolder } from './wait-for-change.js';
import { dropResult } from './write-result.js';

/** How one job is run. */
export type JobRun = {
  signal: AbortSignal;
  retry?: number | undefined;
  /** Runs although there is a result. */
  again?: boolean;
  onStart?: () => void;
  onRetry?: (exception: StoredException, attempt: number, delay: number) => void;
  onProgress?: (progress: JobProgress) => void;
};

const startInfo = async (job: PlannedJob, issued: string, start: string): Promise<JobInfo> => ({
  status: 'start',
  ...(await describeJob(job)),
  issued,
  start,
  pid: job.plan.context.pid,
  pid_hostname: job.plan.context.host,
  messages: [],
});

const seconds = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1000;

const recordFailure = async (
  log: JobLog,
  error: unknown,
  now: () => Date,
  more: Partial<JobInfo>,
): Promise<Outcome> => {
  const exception = toStoredException(error);
  const status = codeOf(error) === 'aborted' ? 'aborted' : 'error';
  const { issued, start, messages } = log.info();
  const end = now().toISOString();
  await log
    .set({
      status,
      end,
      exception,
      backtrace: exception.stack?.split('\n').slice(1) ?? [],
      messages: [...(messages ?? []), `${exception.name}: ${exception.message}`],
      temporary_path: undefined,
      ...(start ? { time_elapsed: seconds(start, end) } : {}),
      ...(issued ? { total_time_elapsed: seconds(issued, end) } : {}),
      ...more,
    })
    // Its result is not there, which is all that has to be known.
    .catch(() => undefined);
  return { status, exception };
};

const recordDone = (log: JobLog, { shortPath, plan }: PlannedJob): Promise<void> => {
  const { issued = '', start = '' } = log.info();
  const end = plan.context.now().toISOString();
  const elapsed = { time_elapsed: seconds(start, end), total_time_elapsed: seconds(issued, end) };
  return (
    log
      .set({ status: 'done', end, ...elapsed, temporary_path: undefined })
      // The result is there, which makes the job done whatever the record says.
      .catch((error) => plan.context.log?.(`${shortPath}: its .info can't be written: ${(error as Error).message}`))
  );
};

/** Runs a job whose lock is held. */
const runHeld = async (job: PlannedJob, hold: Hold, run: JobRun, issued: string): Promise<Outcome> => {
  const { path, shortPath, plan } = job;
  const { now, randomId } = plan.context;
  const id = randomId()
    .replace(/[^\w-]/g, '')
    .slice(0, 12);
  const info = await startInfo(job, issued, now().toISOString());
  const log = keepLog(path, info, id);
  const controller = new AbortController();
  const stopListening = onAbort(run.signal, () => controller.abort(run.signal.reason));
  let asked = false;
  const mark = followMark(path, info, (reason) => {
    asked = true;
    controller.abort(new Error(reason));
  });
  try {
    await log.set({});
    if (run.again) await rm(path, { force: true });
    run.onStart?.();
    const place = (attempt: number) => temporaryPath(path, `${id}-${attempt}`);
    const written = await tryBody(job, { log, signal: controller.signal, place }, run);
    if (!(await hold.isOurs())) {
      await dropResult(written);
      throw lockLostError(shortPath);
    }
    await moveIntoPlace(written, path).catch(async (error) => {
      await dropResult(written);
      throw error;
    });
    await recordDone(log, job);
    return { status: 'done', reused: false };
  } catch (error) {
    const told = toClearError(error, shortPath, path);
    // What another run has taken over is its to record.
    if (!(await hold.isOurs())) {
      const lost = codeOf(told) === 'lock_lost' ? told : lockLostError(shortPath, told);
      return { status: 'error', exception: toStoredException(lost) };
    }
    return recordFailure(log, told, now, asked ? { abort_requested: true } : {});
  } finally {
    mark.close();
    await log.close();
    stopListening();
    if (asked) await clearMark(path);
  }
};

/**
 * What another run of the job, which failed, recorded after we began to wait for it; undefined where there is nothing. A run that was stopped
 * with its process, and not since somebody wanted the job stopped, is nothing.
 */
const failureOfOther = async (path: string, since: string): Promise<Outcome | undefined> => {
  const { status, info, exception } = await readJob(path);
  if (status !== 'error' && !(status === 'aborted' && info['abort_requested'] === true)) return undefined;
  const failed = exception ?? { name: 'Error', message: `its status is ${status}` };
  return (info.end ?? '') >= since ? { status: status as 'error' | 'aborted', exception: failed } : undefined;
};

/**
 * Runs a job whose dependencies are done, once: if another run holds it, in this process or another, waits for what that one makes. Never
 * rejects: what goes wrong is the outcome.
 */
export const runJob = async (job: PlannedJob, run: JobRun): Promise<Outcome> => {
  const { path, plan } = job;
  const issued = plan.context.now().toISOString();
  let changes: ReturnType<typeof watchFolder> | undefined;
  try {
    await makeFolder(path);
    // What is run again has a result: only another one is what a run that we waited for made.
    const before = run.again ? await resultMark(path) : undefined;
    const hasNew = async () => ![undefined, before].includes(await resultMark(path));
    for (let waited = false; ; waited = true) {
      const hold = await takeSwept(path, plan.context);
      if (hold) {
        try {
          // Another one may have ended between the look and the lock.
          if (await hasNew()) return { status: 'done', reused: true };
          const other = waited ? await failureOfOther(path, issued) : undefined;
          if (other) return other;
          return await runHeld(job, hold, run, issued);
        } finally {
          await hold.release();
        }
      }
      changes ??= watchFolder(path);
      if (await hasNew()) return { status: 'done', reused: true };
      const other = await failureOfOther(path, issued);
      if (other) return other;
      if (wouldWaitForItself(path)) return recursiveFailure(job);
      await asWaiting(path, () => changes!.next(run.signal));
    }
  } catch (error) {
    if (run.signal.aborted)
      return { status: 'aborted', exception: toStoredException(abortedError(job.shortPath, run.signal.reason)) };
    return { status: 'error', exception: toStoredException(toClearError(error, job.shortPath, path)) };
  } finally {
    changes?.close();
  }
};
