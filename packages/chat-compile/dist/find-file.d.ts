import type { Message } from '@colophon/chat-format';
import type { CompileContext, FileFacts } from './context.js';
import { type Searched } from './errors.js';
/** What was found for a name: a path of the wanted kind, or where it was looked for and what else is there. */
export type Lookup = {
    path: string;
    facts: FileFacts;
} | ({
    path?: undefined;
    other?: {
        path: string;
        kind: FileFacts['kind'];
    };
} & Searched);
/** A path below the home folder as an absolute one. */
export declare const withHome: (name: string, { home }: CompileContext) => string;
/** Looks a name up as `findFile` does, and returns what it finds instead of throwing. */
export declare const lookUp: (name: string, context: CompileContext, message: Message | undefined, wanted: 'file' | 'directory') => Promise<Lookup>;
/** Where a path really is: one file has one such path, whatever links lead to it. */
export declare const realPathOf: (path: string, { files }: CompileContext) => Promise<string>;
type Sought = {
    message?: Message | undefined;
    kind?: 'file' | 'directory';
};
/** The same as `findFile`, with what is known of the file. */
export declare const locate: (name: string, context: CompileContext, { message, kind }?: Sought) => Promise<{
    path: string;
    facts: FileFacts;
}>;
/**
 * The path of a file that a chat names: next to the file that names it (`message.at.file`, else the context's origin), in that
 * folder's `chats/`, in the working directory, in `chats/` of each root; then the same places with `.chat` added. An absolute path
 * is itself, and so is `~/…` where the context has a home.
 *
 * @throws ColophonError `not_found` with the places looked at (and the cause where one can't be reached), or `wrong_kind` where only a folder (a file) has the name.
 */
export declare const findFile: (name: string, context: CompileContext, sought?: Sought) => Promise<string>;
export {};
