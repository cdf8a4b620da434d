import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { asPartOf } from './ancestry.js';
import type { WorkflowContext } from './context.js';
import { createJob } from './create-job.js';
import type { JobProgress } from './job.js';
import { keepLog } from './job-log.js';
import { dependenciesOf, planned } from './plan.js';
import { produce } from './produce.js';
import { runBody } from './run-body.js';
import { abortedError, dependencyFailedError, toError } from './run-errors.js';
import type { Inputs, Workflow } from './workflow.js';

const prefix = '.execute-';

/** Removes the folders of processes of this host that were killed meanwhile. */
const sweepFolders = async ({ jobs, host, isAlive }: WorkflowContext): Promise<void> => {
  for (const name of await readdir(jobs).catch(() => [])) {
    const [, pid] = name.startsWith(prefix) ? name.slice(prefix.length - 1).split('-') : [];
    if (pid && name.startsWith(`${prefix}${pid}-${host}-`) && !isAlive(Number(pid)))
      await rm(join(jobs, name), { recursive: true, force: true });
  }
};

/**
 * Runs a task at once and returns its value, checked by its type; no job is kept of it. What it needs is produced as jobs. Its files are in a
 * hidden folder of the jobs, which is removed when it has ended.
 *
 * @throws what the task throws, what `createJob` throws, `dependency_failed`, `aborted`.
 */
export const executeTask = async (
  workflow: string | Workflow,
  task: string,
  inputs: Inputs,
  {
    context,
    signal = new AbortController().signal,
    onProgress = () => undefined,
  }: { context: WorkflowContext; signal?: AbortSignal; onProgress?: (progress: JobProgress) => void },
): Promise<unknown> => {
  const made = planned(await createJob(workflow, task, inputs, { context }));
  const needed = await produce(dependenciesOf(made), { signal });
  if (signal.aborted) throw abortedError(made.shortPath, signal.reason);
  const failed = needed.find(({ job, exception }) => exception && !made.plan.optional.has(job.path));
  if (failed?.exception)
    throw Object.assign(dependencyFailedError(made.shortPath, failed.job.shortPath, failed.exception), {
      cause: toError(failed.exception),
    });
  await sweepFolders(context);
  const folder = join(context.jobs, `${prefix}${context.pid}-${context.host}-${context.randomId()}`);
  const job = { ...made, path: join(folder, made.name) };
  const temporaryPath = join(folder, `.${made.name}.tmp`);
  await mkdir(folder, { recursive: true });
  try {
    const log = keepLog(job.path, { status: 'start', messages: [] }, 'log');
    await asPartOf(made.path, () => runBody(job, { log, signal, temporaryPath, onProgress }));
    return job.plan.resultType.read(await readFile(temporaryPath));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};
