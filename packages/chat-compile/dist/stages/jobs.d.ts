import { type Chat } from '@colophon/chat-format';
import type { CompileContext } from '../context.js';
/**
 * Puts what jobs resulted in into the chat: a `job` as a call and its output, an `inline_job` as a `file` message of its result.
 * Jobs that were not run yet are run first, together.
 *
 * @throws ColophonError `empty_directive`, `no_workflows`, `task_failed`, `not_json`, `job_failed` (unless the context inlines
 * exceptions), `not_allowed` where a job would have to run under the policy `read`.
 */
export declare const jobs: (chat: Chat, context: CompileContext) => Promise<Chat>;
