import { dirname } from 'node:path';
import type { JobProgress } from './job.js';
import type { JobLog } from './job-log.js';
import { makeStep } from './make-step.js';
import { onAbort } from './on-abort.js';
import type { PlannedJob } from './plan.js';
import { runCommand } from './run-command.js';
import { abortedError, timeoutError } from './run-errors.js';
import type { Inputs } from './workflow.js';
import { isStreamed, streamTypes, writeResult } from './write-result.js';

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
  const stopListening = onAbort(outer, () => controller.abort(abortedError(job.shortPath, outer.reason)));
  const timer =
    timeLimit === undefined
      ? undefined
      : setTimeout(() => controller.abort(timeoutError(job.shortPath, timeLimit)), timeLimit);
  return {
    signal: controller.signal,
    close: () => {
      clearTimeout(timer);
      stopListening();
    },
  };
};

/** Settles with an action, or fails as soon as a signal is aborted: a task that does not listen is not waited for. */
const orAborted = <T>(action: () => Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stopListening = onAbort(signal, () => reject(signal.reason));
    if (!signal.aborted) action().then(resolve, reject).finally(stopListening);
  });

/** Tells where a result grows, for those who read it meanwhile. */
const tellStreaming = ({ log, temporaryPath }: BodyParts): Promise<void> =>
  log.set({ status: 'streaming', temporary_path: temporaryPath });

const runProgram = async (job: PlannedJob, parts: BodyParts): Promise<void> => {
  const { program } = job.plan.definition;
  const { environment, log: tell } = job.plan.context;
  if (streamTypes.has(job.type)) await tellStreaming(parts);
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
  if (isStreamed(value, job)) await tellStreaming(parts);
  await writeResult(job, value, parts);
};

/**
 * Runs a task once; its whole result is at the temporary path then. Throws what the task throws, `wrong_type`, `nothing_returned`,
 * `timeout`, `aborted`; after the last two what the task still does is of no consequence.
 */
export const runBody = async (job: PlannedJob, parts: BodyParts): Promise<void> => {
  const { signal, close } = withTimeLimit(job, parts.signal);
  let ended = false;
  const onProgress = (progress: JobProgress) => {
    if (!ended) parts.onProgress(progress);
  };
  const inner = { ...parts, signal, onProgress };
  try {
    // A program is waited for until it has ended, so that none is left behind.
    if (job.plan.definition.program) await runProgram(job, inner);
    else await orAborted(() => runFunction(job, inner), signal);
  } finally {
    ended = true;
    close();
  }
};
