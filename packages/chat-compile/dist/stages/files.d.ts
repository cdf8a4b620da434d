import { type Chat } from '@colophon/chat-format';
import type { CompileContext } from '../context.js';
/**
 * Reads what a chat names: `file` and `directory` become `user` messages, `image` and `pdf` keep their role with an absolute path or
 * the address, `step` becomes the answer of a job, `allow_path` and `allow_read_path` become grants (relative to the working
 * directory) and leave the chat.
 *
 * @throws ColophonError `empty_directive`, `not_found`, `wrong_kind`, `remote_file`, `unreadable`, `not_text`, `too_large`,
 * `total_size`, and for `step` `no_workflows`, `no_step`, `task_failed`, `job_failed`, `not_allowed`, `not_json`.
 */
export declare const files: (chat: Chat, context: CompileContext) => Promise<Chat>;
