import type { Chat } from '@colophon/chat-format';
import type { CompileContext } from './context.js';
/** Options of a chat by name, and the chat without the messages that set them. */
export type TakenOptions = {
    options: Record<string, unknown>;
    chat: Chat;
    /** Messages of `chat` that came before the last `previous_response_id`; absent where there is none to go on from. */
    continuesAt?: number;
};
/**
 * Takes the options out of a chat. `endpoint`, `model`, `backend`, `agent`, `sticky_option` and `previous_response_id` hold from
 * where they stand; `option`, `format` and `persist` until the next `assistant` message, and while they hold they come first.
 * Values are typed (see `typedValue`); `nil` and `null` unset, also what is sticky, while they hold; `option: verbose` is true.
 * `format: schema.json` is the JSON in that file, found from where the message was written, where a context is given.
 * `previous_response: false` leaves the id out.
 *
 * @throws ColophonError `invalid_option`, and for the file of a format `not_found`, `unreadable`, `too_large`, `not_text`,
 * `not_json`.
 */
export declare const takeOptions: (chat: Chat, context?: CompileContext) => Promise<TakenOptions>;
