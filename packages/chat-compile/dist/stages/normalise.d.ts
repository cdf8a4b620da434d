import { type Chat } from '@colophon/chat-format';
/**
 * Makes every message a plain object of its own: texts become `user` messages; `Map`s and objects with another prototype become
 * plain ones; a role or a key that is a symbol becomes its description; content that is no text becomes JSON, nothing becomes '';
 * an `at` that is no position is dropped.
 *
 * @throws ColophonError `invalid_message`.
 */
export declare const normalise: (chat: readonly unknown[]) => Chat;
