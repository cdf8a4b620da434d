import type { Message } from '@colophon/chat-format';
import type { CompileContext, JobHandle } from './context.js';
/** A job that a message names, or one that it depends on. */
export type NamedJob = {
    message: Message;
    job: JobHandle;
};
/**
 * Runs, together, those of the jobs that have neither a result nor failed.
 *
 * @throws ColophonError `not_allowed` under the policy `read`, `task_failed` where the engine itself fails.
 */
export declare const produceUnfinished: (named: readonly NamedJob[], context: CompileContext) => Promise<void>;
/** Why a job has no result: as an error, and as text alone; undefined where it has one. */
export declare const failureOf: (one: NamedJob, context: CompileContext) => Promise<{
    error: import("@colophon/chat-format").ColophonError;
    exception: string;
} | undefined>;
