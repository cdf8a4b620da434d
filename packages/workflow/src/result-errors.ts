import { ColophonError } from './errors.js';

/** `bad_result`: a file that does not hold what its type says. */
export const badResultError = (type: string, problem: string, cause?: unknown): ColophonError =>
  new ColophonError(
    'bad_result',
    `This is no result of the type ${type}: ${problem}. Was the file changed, or written by another task? Clean the job and run it again.`,
    { type, problem, ...(cause === undefined ? {} : { cause }) },
  );
