import { rm } from 'node:fs/promises';
import { describeJob } from './describe-job.js';
import { toStoredException } from './exception.js';
import type { Engine } from './job.js';
import { onAbort } from './on-abort.js';
import type { Outcome } from './outcome.js';
import type { PlannedJob } from './plan.js';
import { readJob } from './read-job.js';
import { abortedError, engineSilentError, noOutcomeError } from './run-errors.js';
import { type JobRun, runJob } from './run-job.js';
import { hasResult, makeFolder, writeInfo } from './store.js';
import { takeSwept } from './sweep.js';

// An engine that has told that it lives, and then nothing for so many milliseconds, is given up.
const silence = 60_000;

// One that was cancelled, and has not ended after so many milliseconds, is not waited for.
const patience = 10_000;

/** Writes down what a worker needs to know of a job, unless it is held already. */
const enqueue = async (job: PlannedJob, again: boolean): Promise<void> => {
  const { context } = job.plan;
  await makeFolder(job.path);
  const hold = await takeSwept(job.path, context);
  if (!hold) return;
  try {
    if (again) await rm(job.path, { force: true });
    await writeInfo(
      job.path,
      {
        status: 'queued',
        ...(await describeJob(job)),
        issued: context.now().toISOString(),
        messages: [],
      },
      context.randomId(),
    );
  } finally {
    await hold.release();
  }
};

const outcomeOnDisk = async (job: PlannedJob, engine: string): Promise<Outcome> => {
  if (await hasResult(job.path)) return { status: 'done', reused: false };
  const { status, exception } = await readJob(job.path);
  if (status === 'error' || status === 'aborted')
    return { status, exception: exception ?? { name: 'Error', message: `its status is ${status}` } };
  return { status: 'error', exception: toStoredException(noOutcomeError(job.shortPath, engine, status)) };
};

/** Hands a job to an engine, and takes how it ended from its files. Cancelled where the run is aborted or the engine falls silent. */
export const runElsewhere = async (job: PlannedJob, engine: Engine, run: JobRun): Promise<Outcome> => {
  const controller = new AbortController();
  let own: Outcome | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let giveUp: (reason?: unknown) => void = () => undefined;
  let stopListening = (): void => undefined;
  const stop = () => {
    controller.abort(run.signal.reason);
    clearTimeout(timer);
    timer = setTimeout(() => giveUp(controller.signal.reason), patience);
  };
  try {
    await enqueue(job, run.again === true);
    run.onStart?.();
    stopListening = onAbort(run.signal, stop);
    const ended = new Promise<void>((resolve, reject) => {
      giveUp = reject;
      const heard = () => {
        if (controller.signal.aborted) return;
        clearTimeout(timer);
        timer = setTimeout(() => {
          reject(engineSilentError(job.shortPath, engine.name, silence));
          controller.abort(new Error('no sign of life'));
        }, silence);
      };
      const work = async () => {
        clearTimeout(timer);
        own = await runJob(job, { ...run, signal: controller.signal });
      };
      engine.run(job.path, { work, signal: controller.signal, heartbeat: heard }).then(resolve, reject);
    });
    await ended;
    return own ?? (await outcomeOnDisk(job, engine.name));
  } catch (error) {
    if (run.signal.aborted)
      return { status: 'aborted', exception: toStoredException(abortedError(job.shortPath, run.signal.reason)) };
    return { status: 'error', exception: toStoredException(error) };
  } finally {
    clearTimeout(timer);
    stopListening();
  }
};
