import { type Chat } from '@colophon/chat-format';
import type { CompileContext } from '../context.js';
/**
 * Takes history away: all of it up to the last `clear`; every message of a role that a `clean_role` or `clear_role` names; the
 * calls and outputs before the last `clear_tools` that is not `false`, an output that comes after it included where its call
 * goes. `clear_tools` itself stays, for the tools that are declared in a chat.
 *
 * @throws ColophonError `empty_directive`, `invalid_role`.
 */
export declare const clear: (chat: Chat, { policy }: CompileContext) => Chat;
