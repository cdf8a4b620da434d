import { basename, dirname, join } from 'node:path';

/** Milliseconds after which a lock that nobody refreshed counts for nothing. */
export const lockStale = 10_000;

/** Absolute path of a job's result: `<jobs>/<Workflow>/<task>/<file name>`. */
export const jobPath = (
  jobs: string,
  { workflow, task, name }: { workflow: string; task: string; name: string },
): string => join(jobs, workflow, task, name);

/** Path of a job's `.info`. */
export const infoPath = (path: string): string => `${path}.info`;

/** Path of the folder of a job's artifacts, logs and chats. */
export const filesPath = (path: string): string => `${path}.files`;

/** Path of the lock of a job, hidden beside its result. */
export const lockPath = (path: string): string => join(dirname(path), `.${basename(path)}.lock`);

/** Path of a file that is written first and renamed then, hidden beside the result; `id` tells two writers apart. */
export const temporaryPath = (path: string, id: string): string => join(dirname(path), `.${basename(path)}.${id}.tmp`);

/** What the path of a result says: the `var/jobs` folder, workflow, task and file name. */
export const splitJobPath = (path: string): { jobs: string; workflow: string; task: string; name: string } => {
  const folder = dirname(path);
  const above = dirname(folder);
  return { jobs: dirname(above), workflow: basename(above), task: basename(folder), name: basename(path) };
};

/** `<Workflow>/<task>/<file name>` of a result's path. */
export const shortPath = (path: string): string => path.split('/').slice(-3).join('/');
