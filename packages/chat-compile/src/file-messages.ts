import type { Chat, Message } from '@colophon/chat-format';
import type { CompileContext, FileFacts } from './context.js';
import { emptyError, notTextError, tooLargeError, totalSizeError } from './errors.js';
import { findFile } from './find-file.js';
import { decodeText, readBytes } from './read-text.js';
import { type FolderFile, walkFolder } from './walk-folder.js';
import { wrapFile } from './wrap-file.js';

/** Bytes of a large file that are looked at to see whether it is text. */
const sample = 8192;

const decoded = (bytes: Uint8Array): string | undefined => (bytes.includes(0) ? undefined : decodeText(bytes));

/** Whether the first bytes of a file could be text; the last letter may be cut. */
const looksLikeText = (bytes: Uint8Array): boolean =>
  [0, 1, 2, 3].some((cut) => decoded(bytes.subarray(0, Math.min(bytes.length, sample) - cut)) !== undefined);

/** The text of a file, or undefined where it is binary. */
const textOf = async (path: string, size: number, message: Message, context: CompileContext) => {
  const limit = context.limits.fileBytes;
  if (size > limit && !looksLikeText(await readBytes(path, context, message, sample))) return undefined;
  if (size > limit) throw tooLargeError(message, path, size, limit);
  const bytes = await readBytes(path, context, message);
  if (bytes.length > limit) throw tooLargeError(message, path, bytes.length, limit);
  return decoded(bytes);
};

/**
 * A file as the model sees it, under the name it was written with.
 *
 * @throws ColophonError `not_text`, `too_large`, `unreadable`.
 */
export const fileText = async (
  { path, facts }: { path: string; facts: FileFacts },
  name: string,
  message: Message,
  context: CompileContext,
) => {
  const text = await textOf(path, facts.size, message, context);
  if (text === undefined) throw notTextError(message, path);
  return wrapFile(name, text);
};

/** `kit hidden=true ignored=true binary=true`: the folder, and what is not to be left out. */
const readReference = (text: string) => {
  const asked = { hidden: false, ignored: false, binary: false };
  let name = text.trim();
  for (;;) {
    const [, key, value] = /\s(hidden|ignored|binary)=(true|false)$/.exec(name.slice(-20)) ?? [];
    if (key === undefined) return { name, ...asked };
    asked[key as keyof typeof asked] = value === 'true';
    name = name.slice(0, -`${key}=${value}`.length).trimEnd();
  }
};

const attachments: Record<string, string> = {
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  gif: 'image',
  webp: 'image',
  pdf: 'pdf',
};

/**
 * One message for each file below a folder, sorted by path: the text of text files. `hidden=true` and `ignored=true` behind the
 * folder's name take in what is left out else; `binary=true` makes `image` and `pdf` messages of the files with such an extension.
 *
 * @param room - characters that the files may have together
 * @throws ColophonError `not_found`, `wrong_kind`, `too_large`, `total_size`, `unreadable`.
 */
export const folderMessages = async (message: Message, context: CompileContext, room: number): Promise<Chat> => {
  const { name, binary, ...walk } = readReference(message.content);
  if (name === '') throw emptyError(message, 'the name of a folder');
  const folder = await findFile(name, context, { message, kind: 'directory' });
  const result: Chat = [];
  let characters = 0;
  const toMessage = async ({ path, relative, facts }: FolderFile): Promise<Message | undefined> => {
    const role = attachments[/\.(\w+)$/.exec(relative)?.[1]?.toLowerCase() ?? ''];
    if (role !== undefined && binary) return { ...message, role, content: path };
    const text = await textOf(path, facts.size, message, context);
    if (text === undefined) return undefined;
    return { ...message, role: 'user', content: wrapFile(`${name.replace(/\/+$/, '')}/${relative}`, text) };
  };
  for (const file of await walkFolder(folder, context, message, walk)) {
    const one = await toMessage(file);
    if (!one) continue;
    characters += one.content.length;
    if (characters > room) throw totalSizeError(message, folder, context.limits.totalCharacters);
    result.push(one);
  }
  if (result.length === 0) context.log?.(`${folder} holds no text files`);
  return result;
};
