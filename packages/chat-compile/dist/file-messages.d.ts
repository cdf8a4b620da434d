import type { Chat, Message } from '@colophon/chat-format';
import type { CompileContext, FileFacts } from './context.js';
/**
 * A file as the model sees it, under the name it was written with.
 *
 * @throws ColophonError `not_text`, `too_large`, `unreadable`.
 */
export declare const fileText: ({ path, facts }: {
    path: string;
    facts: FileFacts;
}, name: string, message: Message, context: CompileContext) => Promise<string>;
/**
 * One message for each file below a folder, sorted by path: the text of text files. `hidden=true` and `ignored=true` behind the
 * folder's name take in what is left out else; `binary=true` makes `image` and `pdf` messages of the files with such an extension.
 *
 * @param room - characters that the files may have together
 * @throws ColophonError `not_found`, `wrong_kind`, `too_large`, `total_size`, `unreadable`.
 */
export declare const folderMessages: (message: Message, context: CompileContext, room: number) => Promise<Chat>;
