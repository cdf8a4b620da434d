import { shortPath } from './job-paths.js';
import { type LockHost, takeLock } from './lock.js';
import { readJob } from './read-job.js';
import { jobRunningError } from './run-errors.js';
import { removeJob } from './store.js';
import { sweepTemporary } from './sweep.js';

/**
 * Removes the result, `.info` and `.files/` of a persisted job, given by its path; its workflow need not be known. Throws `job_running`
 * where somebody runs it.
 */
export const cleanPersisted = async (path: string, here: LockHost): Promise<void> => {
  const record = await readJob(path, here);
  if (!record.done && record.status === 'noinfo' && !record.running) return removeJob(path);
  const hold = await takeLock(path, here);
  if (!hold) throw jobRunningError(shortPath(path), 'cleaned', record.info.pid, record.info.pid_hostname);
  try {
    await removeJob(path);
    await sweepTemporary(path);
  } finally {
    await hold.release();
  }
};
