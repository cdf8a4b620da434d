import { toStoredException } from './exception.js';
import type { StoredException } from './job.js';
import { takeLock } from './lock.js';
import type { Outcome } from './outcome.js';
import { dependenciesOf, type PlannedJob } from './plan.js';
import { dependencyFailedError, recursiveJobError } from './run-errors.js';
import { makeFolder, writeInfo } from './store.js';

/** Records that a job was not run, since something that it needs has no result. Somebody who runs it meanwhile is not disturbed. */
export const recordDependencyFailure = async (
  job: PlannedJob,
  failed: { path: string; exception: StoredException },
): Promise<Outcome> => {
  const { context, inputNames, jobName } = job.plan;
  const exception = toStoredException(dependencyFailedError(job.shortPath, failed.path, failed.exception));
  const outcome: Outcome = { status: 'error', exception: { ...exception, cause: failed.exception } };
  const now = context.now().toISOString();
  await makeFolder(job.path);
  const hold = await takeLock(job.path, context);
  if (!hold) return outcome;
  try {
    await writeInfo(
      job.path,
      {
        status: 'error',
        workflow: job.workflow,
        task_name: job.task,
        type: job.type,
        issued: now,
        end: now,
        pid: context.pid,
        pid_hostname: context.host,
        inputs: inputNames.map((name) => job.inputs[name] ?? null),
        input_names: inputNames,
        provided_inputs: job.provided,
        non_default_inputs: Object.keys(job.provided),
        dependencies: dependenciesOf(job).map(({ path }) => path),
        job_name: jobName,
        messages: [`${exception.name}: ${exception.message}`],
        exception: outcome.exception,
      },
      context.randomId(),
    );
  } finally {
    await hold.release();
  }
  return outcome;
};

/** What becomes of a job that is asked for by its own run. Nothing is recorded: the run goes on. */
export const recursiveFailure = (job: PlannedJob): Outcome => ({
  status: 'error',
  exception: toStoredException(recursiveJobError(job.shortPath)),
});
