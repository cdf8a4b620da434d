import { dirname } from 'node:path';
import type { JobProgress } from './job.js';
import type { JobLog } from './job-log.js';
import { makeStep } from './make-step.js';
import type { PlannedJob } from './plan.js';
import { runCommand } from './run-command.js';
import { abortedError, timeoutError } from './run-errors.js';
import type { Inputs } from './workflow.js';
import { isStreamed, writeResult } from './write-result.js';

/** What the body of a job gets from its run. */
export type BodyParts = {
  log: JobLog;
  signal: AbortSignal;
  temporaryPath: string;
  onProgress: (progress: JobProgress) => void;
};

/** A signal that is aborted by another one, or when time is up. */
const withTimeLimit = (job: PlannedJob, outer: AbortSignal) => {
  const { timeLimit } = job.plan.definition;
  const controller = new AbortController();
  const stop = () => controller.abort(abortedError(job.shortPath, outer.reason));
  if (outer.aborted) stop();
  else outer.addEventListener('abort', stop, { once: true });
  const timer =
    timeLimit === undefined
      ? undefined
      : setTimeout(() => controller.abort(timeoutError(job.shortPath, timeLimit)), timeLimit);
  return {
    signal: controller.signal,
    close: () => {
      clearTimeout(timer);
      outer.removeEventListener('abort', stop);
    },
  };
};

/** Settles with an action, or fails as soon as a signal is aborted: a task that does not listen is not waited for. */
const orAborted = <T>(action: () => Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    action()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop));
  });

const runProgram = async (job: PlannedJob, parts: BodyParts): Promise<void> => {
  const { program } = job.plan.definition;
  const { environment, log: tell } = job.plan.context;
  const { stderr } = await runCommand(program!, job.plan.own, {
    workingDirectory: dirname(job.path),
    signal: parts.signal,
    output: parts.temporaryPath,
    ...(environment ? { environment } : {}),
    onStderr: (text) => tell?.(`${job.shortPath}: ${text.trimEnd()}`),
  }).catch((error: unknown) => {
    throw parts.signal.aborted ? parts.signal.reason : error;
  });
  if (stderr !== '') await parts.log.message(stderr);
  await writeResult(job, undefined, parts);
};

const runFunction = async (job: PlannedJob, parts: BodyParts): Promise<void> => {
  const run = job.plan.definition.run as (inputs: Inputs, step: unknown) => unknown;
  const value = await run(job.plan.own, makeStep(job, parts));
  // A task that did not listen is too late.
  parts.signal.throwIfAborted();
  if (isStreamed(value, job)) await parts.log.set({ status: 'streaming', temporary_path: parts.temporaryPath });
  await writeResult(job, value, parts);
};

/**
 * Runs a task once; its whole result is at the temporary path then. Throws what the task throws, `wrong_type`, `nothing_returned`,
 * `timeout`, `aborted`; after the last two what the task still does is of no consequence.
 */
export const runBody = async (job: PlannedJob, parts: BodyParts): Promise<void> => {
  const { signal, close } = withTimeLimit(job, parts.signal);
  const inner = { ...parts, signal };
  try {
    // A program is waited for until it has ended, so that none is left behind.
    if (job.plan.definition.program) await runProgram(job, inner);
    else await orAborted(() => runFunction(job, inner), signal);
  } finally {
    close();
  }
};
