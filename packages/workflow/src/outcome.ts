import type { StoredException } from './job.js';

/** How a job ended. `reused`: there was a result already. */
export type Outcome = { status: 'done'; reused: boolean } | Failure;

/** A job without a result. */
export type Failure = { status: 'error' | 'aborted'; exception: StoredException };
