import type { WorkflowContext } from './context.js';
import { createJob } from './create-job.js';
import type { Outcome } from './outcome.js';
import { planned } from './plan.js';
import { readJob } from './read-job.js';
import { noSuchJobError } from './run-errors.js';
import { runJob } from './run-job.js';

/**
 * Runs the job whose `.info` a queue's producer wrote, in the worker that took its path from the queue. Settles when its files say how it
 * ended; throws where they can't: `no_such_job`, or what `createJob` throws.
 */
export const runJobAt = async (
  path: string,
  context: WorkflowContext,
  { signal = new AbortController().signal }: { signal?: AbortSignal } = {},
): Promise<Outcome> => {
  const { info, inputs, status, exception } = await readJob(path);
  // Somebody stopped it while it was in the queue.
  if (status === 'aborted' && exception) return { status, exception };
  const { workflow, task_name: task, provided_inputs: provided = inputs, job_name: jobName } = info;
  if (workflow === undefined || task === undefined)
    throw noSuchJobError(path, 'there is no .info that says what to run. Was it enqueued by produce?');
  const job = planned(
    await createJob(workflow, task, provided, { context, jobName: typeof jobName === 'string' ? jobName : undefined }),
  );
  if (job.path !== path)
    throw noSuchJobError(
      path,
      `the workflow here makes ${job.path} of the same inputs. Does the worker have the same jobs folder and workflows?`,
    );
  return runJob(job, { signal });
};
