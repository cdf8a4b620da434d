import type { Chat } from '@colophon/chat-format';
import type { CompileContext } from '../context.js';
/**
 * Sets what each `config: key value token…` says in the context, and takes these messages out.
 *
 * @throws ColophonError `invalid_config`.
 */
export declare const config: (chat: Chat, context: CompileContext) => Chat;
