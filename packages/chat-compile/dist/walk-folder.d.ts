import type { CompileContext, FileFacts } from './context.js';
import { type Subject } from './errors.js';
/** What a folder gives beside plain visible files. */
export type WalkOptions = {
    hidden: boolean;
    ignored: boolean;
};
/** A file below a folder: its path, its path as seen from the folder, its facts. */
export type FolderFile = {
    path: string;
    relative: string;
    facts: FileFacts;
};
/**
 * The files below a folder, sorted by their path. Left out, unless asked for: names that begin with a dot, and what `.gitignore`
 * files ignore, there and up to the root of the repository, `.git` itself included. Left out always: what is no regular file, links
 * to folders (what they show is found under its own name, or does not belong to the folder), and links to files outside.
 *
 * @throws ColophonError `unreadable`, `not_text` for a `.gitignore` that is not text.
 */
export declare const walkFolder: (folder: string, context: CompileContext, subject: Subject, { hidden, ignored }: WalkOptions) => Promise<FolderFile[]>;
