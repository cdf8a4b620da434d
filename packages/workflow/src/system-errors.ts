import { dirname } from 'node:path';
import { ColophonError } from './errors.js';

const fullCodes = new Set<unknown>(['ENOSPC', 'EDQUOT']);

const unwritable: Record<string, string> = {
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the disk is read only',
  ENOTDIR: 'a part of its path is no folder',
  EEXIST: 'a part of its path is no folder',
  EISDIR: 'a folder stands where a file of it belongs',
};

/** `disk_full`: there is no room for what a job writes. */
const diskFullError = (job: string, cause: unknown): ColophonError =>
  new ColophonError(
    'disk_full',
    `The disk is full: ${job} could not write its files, and leaves no result. Make room and run it again.`,
    { job, cause },
  );

/** `jobs_unwritable`: the files of a job can't be made where they belong. */
const unwritableError = (job: string, place: string, problem: string, cause: unknown): ColophonError =>
  new ColophonError(
    'jobs_unwritable',
    `${job} can't be written at ${place}: ${problem}. Mend that, or give another folder for jobs.`,
    { job, place, cause },
  );

type SystemError = NodeJS.ErrnoException & { dest?: string };

/** What of a job could not be written; undefined where an error is of something else, such as what a task itself reads. */
const ownPlace = ({ path, dest = path }: SystemError, result: string): string | undefined => {
  const folder = dirname(result);
  const isOwn = dest !== undefined && (dest.startsWith(`${folder}/`) || `${folder}/`.startsWith(`${dest}/`));
  return isOwn ? dest : undefined;
};

/** Errors of the system that a person can do something about, told in our words; any other as it is. `path`: of the job's result. */
export const toClearError = (error: unknown, job: string, path: string): unknown => {
  let one = error as SystemError | undefined;
  for (let depth = 0; depth < 5 && typeof one === 'object' && one !== null; depth++) {
    if (fullCodes.has(one.code)) return diskFullError(job, error);
    one = one.cause as SystemError | undefined;
  }
  const { code = '' } = (error ?? {}) as SystemError;
  const place = Object.hasOwn(unwritable, code) ? ownPlace(error as SystemError, path) : undefined;
  return place === undefined ? error : unwritableError(job, place, unwritable[code]!, error);
};
