import type { WorkflowContext } from '@colophon/workflow';
import type { Workflows } from './context.js';
/**
 * The workflow engine for compiling, over `@colophon/workflow`. Persisted jobs are found by path or short path, below the context's jobs
 * folders; reading one, also a chat, runs nothing. Results of type `chat` are messages.
 *
 * @throws ColophonError `unknown_job` where no job is there, `lost_job` where one that would have to run can't be made again; and what
 * making and running jobs throws.
 */
export declare const toWorkflows: (context: WorkflowContext) => Workflows;
