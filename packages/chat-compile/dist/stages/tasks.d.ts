import type { Chat } from '@colophon/chat-format';
import type { CompileContext } from '../context.js';
/**
 * Makes jobs of `task` and `inline_task`, produces them together, and leaves `job` and `inline_job` messages; runs each
 * `exec_task` and leaves its result as a `user` message. Every line is read before anything runs.
 *
 * @throws ColophonError `invalid_inputs`, `no_workflows`, `task_failed`, `not_json`; under the policy `read` `not_allowed` for these
 * roles and for `mcp: stdio …`.
 */
export declare const tasks: (chat: Chat, context: CompileContext) => Promise<Chat>;
