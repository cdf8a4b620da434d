import type { Message } from '@colophon/chat-format';
import type { CompileContext } from './context.js';
/**
 * The `assistant` message that a `step` stands for: the answer of the dependency that has that task (`task`, `Workflow/task`), short
 * path or path, nearest first, of the job that the last `meta job=` above names.
 *
 * @throws ColophonError `empty_directive`, `no_workflows`, `no_step`, `task_failed`, `job_failed`, `not_allowed`, `not_json`.
 */
export declare const stepAnswer: (message: Message, lastJob: string | undefined, context: CompileContext) => Promise<Message>;
