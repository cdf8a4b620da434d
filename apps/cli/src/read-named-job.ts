import { resolve } from 'node:path';
import { ColophonError } from '@colophon/chat-format';
import type { JobRecord, ReadJobOptions } from '@colophon/workflow';
import type { MachineContext } from './context.js';
import { shownPath } from './shown-path.js';
import { jobFolders, workflowContext } from './workflow-context.js';

/** How jobs are read on this machine: where what they depend on is found, and how it is seen that one runs. */
export const readOptions = async (context: MachineContext): Promise<ReadJobOptions> => {
  const { host, isAlive, now } = await workflowContext(context);
  return { roots: jobFolders(context), host, isAlive, now };
};

/** Path of a job that is there, named by its path or short path; throws `no_such_job`. */
export const findNamedJob = async (name: string, context: MachineContext): Promise<string> => {
  const { findJob } = await import('@colophon/workflow');
  const roots = jobFolders(context);
  const found =
    (await findJob(resolve(context.workingDirectory, name), { roots: [] })) ?? (await findJob(name, { roots }));
  if (found !== undefined) return found;
  const places = roots.map((root) => shownPath(root, context)).join(', ');
  throw new ColophonError(
    'no_such_job',
    `there is no job ${name}; looked in ${places}; \`colophon workflow jobs\` lists them`,
  );
};

/** A persisted job, named by its path or short path. */
export const readNamedJob = async (
  name: string,
  context: MachineContext,
  more: Pick<ReadJobOptions, 'files'> = {},
): Promise<JobRecord> => {
  const { readJob } = await import('@colophon/workflow');
  return readJob(await findNamedJob(name, context), { ...(await readOptions(context)), ...more });
};
