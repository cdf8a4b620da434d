import { type Chat } from '@colophon/chat-format';
import type { CompileContext } from '../context.js';
/** Compiles a chat that was read from `context.origin`. */
export type CompileImported = (chat: Chat, context: CompileContext) => Promise<Chat>;
/**
 * Puts imported chats in place of `import` (the whole chat without its `previous_response_id`), `continue` (its last message that
 * is not empty) and `last` (its last message without `previous_response_id`). What is imported is compiled first, relative to its own
 * file, and each file once, however often it is named and whatever links lead to it. A chat from an `http(s)` address may only hold
 * a conversation; its calls that have no output are left out.
 *
 * @throws ColophonError `empty_directive`, `not_found`, `wrong_kind`, `import_cycle`, `import_depth`, `import_fetch`, `import_role`,
 * `total_size`, and what compiling the imported chat throws.
 */
export declare const importChats: (chat: Chat, context: CompileContext, compileImported: CompileImported) => Promise<Chat>;
