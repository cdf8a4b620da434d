import type { CompileContext } from './context.js';
import { type Subject } from './errors.js';
/** Bytes as text; undefined where they are no UTF-8. A byte order mark is dropped. */
export declare const decodeText: (bytes: Uint8Array) => string | undefined;
/** Reads bytes, with errors that name the directive. `length`: only the first bytes. */
export declare const readBytes: (path: string, context: CompileContext, subject: Subject, length?: number) => Promise<Uint8Array<ArrayBufferLike>>;
/**
 * Reads a file that must be text and at most `limit` bytes. NUL is text here: a chat may hold it.
 *
 * @throws ColophonError `too_large`, `unreadable`, `not_text`.
 */
export declare const readText: (path: string, size: number, context: CompileContext, subject: Subject, limit?: number) => Promise<string>;
