import { rm } from 'node:fs/promises';
import { clearMark, followMark } from './abort-job.js';
import { asPartOf } from './ancestry.js';
import { ColophonError } from './errors.js';
import { toStoredException } from './exception.js';
import type { JobInfo, JobProgress, StoredException } from './job.js';
import { type JobLog, keepLog } from './job-log.js';
import { temporaryPath } from './job-paths.js';
import { type Hold, takeLock } from './lock.js';
import type { Outcome } from './outcome.js';
import { dependenciesOf, type PlannedJob } from './plan.js';
import { readJob } from './read-job.js';
import { runBody } from './run-body.js';
import { lockLostError } from './run-errors.js';
import { hasResult, makeFolder, moveIntoPlace } from './store.js';
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

const firstDelay = 500;
const longestDelay = 30_000;

const startInfo = (job: PlannedJob, issued: string, start: string): JobInfo => ({
  status: 'start',
  workflow: job.workflow,
  task_name: job.task,
  type: job.type,
  issued,
  start,
  pid: job.plan.context.pid,
  pid_hostname: job.plan.context.host,
  inputs: job.plan.inputNames.map((name) => job.inputs[name] ?? null),
  input_names: job.plan.inputNames,
  provided_inputs: job.provided,
  non_default_inputs: Object.keys(job.provided),
  dependencies: dependenciesOf(job).map(({ path }) => path),
  job_name: job.plan.jobName,
  messages: [],
});

const seconds = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / 1000;

const codeOf = (error: unknown): unknown => (error instanceof ColophonError ? error.code : undefined);

// Trying again mends neither what is wrong with the task nor what somebody asked for.
const isFinal = (error: unknown): boolean =>
  ['aborted', 'wrong_type', 'nothing_returned', 'lock_lost', 'outside_files', 'recursive_job'].includes(
    String(codeOf(error)),
  );

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener('abort', done, { once: true });
  });

/** Runs a task until it succeeds, or has failed as often as it may. */
const tryBody = async (
  job: PlannedJob,
  log: JobLog,
  temporary: string,
  signal: AbortSignal,
  run: JobRun,
): Promise<void> => {
  const tries = job.plan.definition.retry ?? run.retry ?? 0;
  for (let attempt = 0; ; attempt++) {
    try {
      await asPartOf(job.path, () =>
        runBody(job, { log, signal, temporaryPath: temporary, onProgress: (progress) => run.onProgress?.(progress) }),
      );
      return;
    } catch (error) {
      if (attempt >= tries || isFinal(error) || signal.aborted) throw error;
      const exception = toStoredException(error);
      const delay = Math.min(firstDelay * 2 ** attempt, longestDelay);
      await dropResult(temporary);
      await log.message(`${exception.name}: ${exception.message}`);
      run.onRetry?.(exception, attempt + 1, delay);
      await pause(delay, signal);
    }
  }
};

const recordFailure = async (log: JobLog, error: unknown, now: () => Date): Promise<Outcome> => {
  const exception = toStoredException(error);
  const status = codeOf(error) === 'aborted' ? 'aborted' : 'error';
  const { issued, start, messages = [] } = log.info();
  const end = now().toISOString();
  await log
    .set({
      status,
      end,
      exception,
      backtrace: exception.stack?.split('\n').slice(1) ?? [],
      messages: [...messages, `${exception.name}: ${exception.message}`],
      ...(start ? { time_elapsed: seconds(start, end) } : {}),
      ...(issued ? { total_time_elapsed: seconds(issued, end) } : {}),
    })
    .catch(() => undefined);
  return { status, exception };
};

/** Runs a job whose lock is held. */
const runHeld = async (job: PlannedJob, hold: Hold, run: JobRun, issued: string): Promise<Outcome> => {
  const { path, shortPath, plan } = job;
  const { now, randomId } = plan.context;
  const id = randomId()
    .replace(/[^\w-]/g, '')
    .slice(0, 12);
  const start = now().toISOString();
  const log = keepLog(path, startInfo(job, issued, start), id);
  const temporary = temporaryPath(path, id);
  const controller = new AbortController();
  const stop = () => controller.abort(run.signal.reason);
  if (run.signal.aborted) stop();
  else run.signal.addEventListener('abort', stop, { once: true });
  const mark = followMark(path, controller);
  try {
    await log.set({});
    if (run.again) await rm(path, { force: true });
    run.onStart?.();
    await tryBody(job, log, temporary, controller.signal, run);
    if (!(await hold.isOurs())) throw lockLostError(shortPath);
    await moveIntoPlace(temporary, path);
    const end = now().toISOString();
    await log
      .set({ status: 'done', end, time_elapsed: seconds(start, end), total_time_elapsed: seconds(issued, end) })
      // The result is there, which makes the job done whatever the record says.
      .catch((error) => plan.context.log?.(`${shortPath}: its .info can't be written: ${(error as Error).message}`));
    return { status: 'done', reused: false };
  } catch (error) {
    await dropResult(temporary);
    if (codeOf(error) === 'lock_lost') return { status: 'error', exception: toStoredException(error) };
    return recordFailure(log, error, now);
  } finally {
    mark.close();
    run.signal.removeEventListener('abort', stop);
    if (controller.signal.aborted) await clearMark(path);
  }
};

/** What another run of the job recorded after we began to wait for it; undefined while there is nothing. */
const outcomeOfOther = async (path: string, since: string): Promise<Outcome | undefined> => {
  if (await hasResult(path)) return { status: 'done', reused: true };
  const { status, info, exception } = await readJob(path);
  if (status !== 'error' && status !== 'aborted') return undefined;
  const failed = exception ?? { name: 'Error', message: `its status is ${status}` };
  return (info.end ?? '') >= since ? { status, exception: failed } : undefined;
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
    for (let waited = false; ; waited = true) {
      const hold = await takeLock(path, plan.context);
      if (hold) {
        try {
          // Another one may have ended between the look and the lock.
          if ((waited || !run.again) && (await hasResult(path))) return { status: 'done', reused: true };
          if (waited) {
            const other = await outcomeOfOther(path, issued);
            if (other) return other;
          }
          return await runHeld(job, hold, run, issued);
        } finally {
          await hold.release();
        }
      }
      changes ??= watchFolder(path);
      const other = await outcomeOfOther(path, issued);
      if (other && !run.again) return other;
      await changes.next(run.signal);
    }
  } catch (error) {
    const aborted = run.signal.aborted;
    return { status: aborted ? 'aborted' : 'error', exception: toStoredException(error) };
  } finally {
    changes?.close();
  }
};
