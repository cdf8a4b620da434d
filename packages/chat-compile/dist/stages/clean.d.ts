import { type Chat } from '@colophon/chat-format';
import type { CompileContext } from '../context.js';
/** A chat without empty messages and without some roles, by default those that no prompt holds. A directive may be empty. */
export declare const cleanRoles: (chat: Chat, roles?: readonly string[]) => Chat;
/** A chat without its `previous_response_id` messages. */
export declare const purge: (chat: Chat) => Chat;
/** The same, and the last id that was taken out. */
export declare const pull: (chat: Chat) => {
    chat: Chat;
    id?: string;
};
/**
 * Drops empty messages and `skip`. Of `previous_response_id` only the last one stays, where it stands: `takeOptions` takes it out
 * of the prompt and says what came before it.
 */
export declare const clean: (chat: Chat, { policy }: CompileContext) => Chat;
