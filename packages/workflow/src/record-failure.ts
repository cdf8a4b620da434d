import { describeJob } from './describe-job.js';
import { toStoredException } from './exception.js';
import type { StoredException } from './job.js';
import type { Outcome } from './outcome.js';
import type { PlannedJob } from './plan.js';
import { dependencyFailedError, recursiveJobError } from './run-errors.js';
import { hasResult, makeFolder, writeInfo } from './store.js';
import { takeSwept } from './sweep.js';

/** Records that a job was not run, since something that it needs has no result. Somebody who runs it meanwhile is not disturbed. */
export const recordDependencyFailure = async (
  job: PlannedJob,
  failed: { path: string; exception: StoredException },
): Promise<Outcome> => {
  const { context } = job.plan;
  const exception = toStoredException(dependencyFailedError(job.shortPath, failed.path, failed.exception));
  const outcome: Outcome = { status: 'error', exception: { ...exception, cause: failed.exception } };
  const now = context.now().toISOString();
  await makeFolder(job.path);
  const hold = await takeSwept(job.path, context);
  if (!hold) return outcome;
  try {
    // One that has a result of an earlier run is done, and stays so.
    if (await hasResult(job.path)) return outcome;
    await writeInfo(
      job.path,
      {
        status: 'error',
        ...(await describeJob(job)),
        issued: now,
        end: now,
        pid: context.pid,
        pid_hostname: context.host,
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
