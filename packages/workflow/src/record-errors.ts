import { ColophonError } from './errors.js';

/** `job_path`: what is no absolute path of a job. */
export const jobPathError = (path: string): ColophonError =>
  new ColophonError(
    'job_path',
    `${JSON.stringify(path)} is no absolute path of a job's result. Find a job by its short path with findJob.`,
    { path },
  );

/** `no_result`: a job whose result is to be loaded has none. */
export const noResultError = (path: string, status: string, cause?: unknown): ColophonError =>
  new ColophonError(
    'no_result',
    `The job ${path} has no result that can be read; its status is ${status}. Run it first.`,
    { path, status, ...(cause === undefined ? {} : { cause }) },
  );
