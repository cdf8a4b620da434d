import { ColophonError } from './errors.js';
import type { StoredException } from './job.js';

/** `foreign_job`: an object that `createJob` did not make. */
export const foreignJobError = (value: unknown): ColophonError =>
  new ColophonError('foreign_job', `Expected jobs made by createJob, received ${typeof value}.`);

/** `wrong_type`: a task returned what its type can't hold. */
export const wrongTypeError = (job: string, type: string, problem: string): ColophonError =>
  new ColophonError(
    'wrong_type',
    `The result of ${job} is no ${type}: ${problem}. Return a value of this type, or give the task the type of what it returns.`,
    { job, type },
  );

/** `nothing_returned`: a task returned nothing and wrote no result. */
export const nothingReturnedError = (job: string, type: string): ColophonError =>
  new ColophonError(
    'nothing_returned',
    `${job} returned nothing; expected ${type}. Return the result, or write it to \`step.temporaryPath\`; where there is none, give the task the type json and return null.`,
    { job, type },
  );

/** `unknown_type`: a task's type is in no table. */
export const unknownTypeError = (job: string, type: string, known: readonly string[]): ColophonError =>
  new ColophonError('unknown_type', `${job} has the type ${JSON.stringify(type)}; there are ${known.join(', ')}.`, {
    job,
    type,
  });

/** `timeout`: a run took longer than its task allows. */
export const timeoutError = (job: string, limit: number): ColophonError =>
  new ColophonError(
    'timeout',
    `${job} took longer than ${limit} ms and was stopped. Give its task a longer \`timeLimit\`, or less to do.`,
    { job, limit },
  );

/** `aborted`: somebody stopped a job. */
export const abortedError = (job: string, reason: unknown): ColophonError => {
  const said = reason instanceof Error ? reason.message : String(reason ?? 'no reason given');
  return new ColophonError('aborted', `${job} was aborted: ${said}`, { job, reason: said });
};

/** `lock_lost`: another process took over while this one did not answer. */
export const lockLostError = (job: string, cause?: unknown): ColophonError =>
  new ColophonError(
    'lock_lost',
    `${job} was taken over by another process, since this one did not refresh its lock in time; what it made here is dropped.`,
    { job, ...(cause === undefined ? {} : { cause }) },
  );

/** The code of an error of this project. */
export const codeOf = (error: unknown): unknown => (error instanceof ColophonError ? error.code : undefined);

/** `recursive_job`: a job that would wait for itself. */
export const recursiveJobError = (job: string): ColophonError =>
  new ColophonError(
    'recursive_job',
    `${job} is needed by itself: it is running already, and what asks for it is part of that run. Give it other inputs, or another job name.`,
    { job },
  );

/** `dependency_failed`: something that a job needs has no result. */
export const dependencyFailedError = (job: string, needed: string, exception: StoredException): ColophonError =>
  new ColophonError('dependency_failed', `${job} was not run, since ${needed} failed: ${exception.message}`, {
    job,
    needed,
  });

/** `unknown_dependency`: a step asks for a dependency that its task does not declare, or not so. */
export const unknownDependencyError = (job: string, name: string, problem: string): ColophonError =>
  new ColophonError('unknown_dependency', `${job}: dependency ${JSON.stringify(name)} ${problem}.`, { job, name });

/** `outside_files`: a name that leads out of a job's `.files/`. */
export const outsideFilesError = (job: string, name: string): ColophonError =>
  new ColophonError(
    'outside_files',
    `${job}: the file name ${JSON.stringify(name)} leads out of the job's folder. Give a relative name that stays below it.`,
    { job, name },
  );

/** `bad_info`: values that a step sets, and that an `.info` can't hold. */
export const badInfoError = (job: string, problem: string, cause?: unknown): ColophonError =>
  new ColophonError('bad_info', `${job}: setInfo got what can't be recorded: ${problem} Give plain JSON.`, {
    job,
    ...(cause === undefined ? {} : { cause }),
  });

/** `job_running`: something that may not be done to a job while it runs. */
export const jobRunningError = (job: string, what: string, pid: unknown, host: unknown): ColophonError =>
  new ColophonError(
    'job_running',
    `${job} can't be ${what}: process ${String(pid ?? 'unknown')} on ${String(host ?? 'an unknown host')} runs it. Abort it or wait for it.`,
    { job, pid, host },
  );

/** `outside_jobs`: a job that is not in the folder for jobs of its context, or is there by a link. */
export const outsideJobsError = (path: string, jobs: string): ColophonError =>
  new ColophonError(
    'outside_jobs',
    `${path} is not in ${jobs}, the folder that jobs are written to; what is elsewhere is only read. Use a context whose jobs are there.`,
    { path, jobs },
  );

/** `no_run`: a job that is waited for, and whose process is gone. */
export const noRunError = (job: string, pid: unknown, host: unknown): ColophonError =>
  new ColophonError(
    'no_run',
    `Nobody runs ${job}: process ${String(pid ?? 'unknown')} on ${String(host ?? 'an unknown host')} did not end it, and holds it no longer. Run it again.`,
    { job, pid, host },
  );

/** `restarted`: a result that was read while it was written, and was then written anew. */
export const restartedError = (job: string): ColophonError =>
  new ColophonError('restarted', `${job} failed while its result was read, and was run again. Read it again.`, { job });

/** `bad_option`: an option of a run that can't be. */
export const badOptionError = (name: string, value: unknown, expected: string): ColophonError =>
  new ColophonError('bad_option', `${name} is ${String(value)}; expected ${expected}.`, { name });

/** `engine_silent`: an engine that has given no sign of life for long. */
export const engineSilentError = (job: string, engine: string, milliseconds: number): ColophonError =>
  new ColophonError(
    'engine_silent',
    `The engine ${engine} has said nothing of ${job} for ${milliseconds} ms; it counts as failed. What it still makes will be found.`,
    { job, engine },
  );

/** `no_outcome`: an engine says that a job ended, and its files don't. */
export const noOutcomeError = (job: string, engine: string, status: string): ColophonError =>
  new ColophonError(
    'no_outcome',
    `The engine ${engine} ended without a result of ${job}, whose status is ${JSON.stringify(status)}.`,
    { job, engine, status },
  );

/** `no_such_job`: a path that a worker can't run. */
export const noSuchJobError = (path: string, problem: string): ColophonError =>
  new ColophonError('no_such_job', `${path}: ${problem}`, { path });

/** The stored exception of a job as an error again. */
export const toError = (exception: StoredException): Error => {
  const { name, message, stack, cause, ...rest } = exception as StoredException & { code?: unknown };
  const error = new Error(message, cause ? { cause: toError(cause) } : undefined);
  if (stack !== undefined) error.stack = stack;
  return Object.assign(error, rest, { name });
};
