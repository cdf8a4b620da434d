import type { Position } from './message.js';

/** Facts that an error carries beside its message; `cause` is kept. */
export type ErrorFacts = {
  at?: Position | undefined;
  role?: string | undefined;
  retryable?: boolean;
  cause?: unknown;
  [key: string]: unknown;
};

/**
 * The one error class of the project: a `code` to branch on and a message that says what was received, what was expected,
 * where, and what to do. A known position is put in front of the message as `file:line`.
 */
export class ColophonError extends Error {
  override readonly name = 'ColophonError';
  readonly code: string;
  readonly facts: ErrorFacts;

  constructor(code: string, message: string, facts: ErrorFacts = {}) {
    const place = facts.at ? `${facts.at.file ?? 'line'}${facts.at.file ? ':' : ' '}${facts.at.line}: ` : '';
    super(place + message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.facts = facts;
  }
}

/** `meta_key`: a field name that would not be read back from a `meta` line. */
export const metaKeyError = (key: string): ColophonError =>
  new ColophonError(
    'meta_key',
    `Meta key ${JSON.stringify(key)} can't be written: a key is made of A-Z a-z 0-9 _. Rename it.`,
    { key },
  );

/** `meta_value`: a field value that a `meta` line can't hold. */
export const metaValueError = (key: string, value: unknown): ColophonError =>
  new ColophonError(
    'meta_value',
    `Meta value of ${key} is ${typeof value === 'number' ? value : typeof value}, expected text or a number that reads back as itself ` +
      '(finite, an integer below 2^53). Write it as text.',
    { key },
  );

/** `invalid_json`: text that neither is JSON nor holds a json fence with JSON in it. */
export const jsonError = (text: string): ColophonError => {
  const head = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return new ColophonError(
    'invalid_json',
    `Expected JSON, alone or in a \`\`\`json fence, got ${JSON.stringify(head)}.`,
  );
};

/** `frozen_chat`: an array that verbs can't be put on. */
export const frozenChatError = (): ColophonError =>
  new ColophonError(
    'frozen_chat',
    'Verbs can only be put on an array that takes properties, got a frozen or sealed one. Annotate a copy: chat([...messages]).',
  );

const show = (value: unknown) => {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

type Faulty = { role?: unknown; at?: Position | undefined };

/** `bad_role`: a role that cannot be written as a header. */
export const roleError = (message: Faulty): ColophonError =>
  new ColophonError(
    'bad_role',
    `${show(message.role)} is no role that can be written: a role is a lower-case letter, then lower-case letters, digits and _`,
    { at: message.at, received: message.role },
  );

/** `bad_content`: a content that no text can stand for. */
export const contentError = (message: Faulty, why: string, cause?: unknown): ColophonError =>
  new ColophonError(
    'bad_content',
    `the content of this ${message.role} message cannot be written: ${why}. Give a well-formed string, or data that JSON can hold`,
    { at: message.at, role: String(message.role), cause },
  );

/** `too_long`: text that does not fit into one string. */
export const tooLongError = (what: string, cause?: unknown): ColophonError =>
  new ColophonError(
    'too_long',
    `${what} is too long: a text of this runtime holds at most some 500 million characters. Split the chat, and let \`import:\` or \`continue:\` join its parts.`,
    { cause },
  );

/** `no_answer`: a chat whose answer is to be written has no message. */
export const noAnswerError = (path: string): ColophonError =>
  new ColophonError('no_answer', `There is no answer to write to ${path}: the chat has no messages. Ask first.`, {
    path,
  });

/** `file_missing`: no chat stands where one was to be read. */
export const fileMissingError = (places: readonly string[]): ColophonError =>
  new ColophonError('file_missing', `There is no chat file ${places.join(' or ')}. Check the name, or create it.`, {
    path: places[0],
  });

/** `file_encoding`: a file that is not UTF-8. `byte` is the 0-based place of the first byte that is wrong. */
export const fileEncodingError = (path: string, byte: number, line: number): ColophonError =>
  new ColophonError(
    'file_encoding',
    `byte ${byte} is not UTF-8, the encoding of chat files; the file is left as it is. Convert it: iconv -f latin1 -t utf-8`,
    { at: { file: path, line }, path },
  );

/** What the system says, and what a person can do about it. */
const fileTroubles: Record<string, [code: string, what: string, advice: string]> = {
  EISDIR: ['file_directory', 'a directory stands there', 'Name a file'],
  ENOENT: ['file_missing', 'there is no such file or folder', 'Check the name'],
  ENOTDIR: ['file_directory', 'a part of its path is a file, not a folder', 'Check the path'],
  EACCES: [
    'file_access',
    'permission denied',
    'Change the permissions of the file or its folder, or choose another place',
  ],
  EPERM: [
    'file_access',
    'the system does not permit it',
    'Change the permissions of the file or its folder, or choose another place',
  ],
  EROFS: ['file_access', 'the file system is read-only', 'Choose another place'],
  ENOSPC: ['disk_full', 'the disk is full', 'Free some space and try again'],
  EDQUOT: ['disk_full', 'the disk quota is used up', 'Free some space and try again'],
  EFBIG: ['disk_full', 'the file would be larger than is allowed here', 'Raise the limit or start a new chat'],
};

/** `file_directory`, `file_missing`, `file_access`, `disk_full`, `file_failed`: what the system refused to do with a file. */
export const fileError = (action: string, path: string, cause: unknown): ColophonError => {
  if (cause instanceof ColophonError) return cause;
  if (cause instanceof RangeError) return tooLongError(path, cause);
  const { code: errno, message } = cause as NodeJS.ErrnoException;
  const [code, what, advice] = fileTroubles[errno ?? ''] ?? [
    'file_failed',
    message ?? String(cause),
    'Nothing was changed',
  ];
  return new ColophonError(code, `Could not ${action} ${path}: ${what}. ${advice}.`, { path, cause });
};

/** `locked`: another program keeps a file locked. */
export const lockedError = (path: string, lockPath: string, cause: unknown): ColophonError =>
  new ColophonError(
    'locked',
    `${path} is locked by another program that has not let go of it. Wait for it; if it is gone, remove ${lockPath}.`,
    { path, cause, retryable: true },
  );

/** `lock_lost`: a lock was taken over while its holder stood still. */
export const lockLostError = (path: string, cause: unknown): ColophonError =>
  new ColophonError(
    'lock_lost',
    `This program stood still for so long that another one took over the lock of ${path}. Look at the file's end before going on.`,
    { path, cause },
  );

/** `held`: another run holds a chat. */
export const heldError = (
  path: string,
  owner: { pid: number; host: string; label?: string; since: string },
  holdPath: string,
): ColophonError =>
  new ColophonError(
    'held',
    `${path} is held by ${owner.label === undefined ? 'a run' : JSON.stringify(owner.label)} (process ${owner.pid} on ${owner.host}, since ${owner.since}). ` +
      `Wait for it or stop it; if it is gone, remove ${holdPath}.`,
    { path, ...owner },
  );

/** `not_readable_back`: printed text that would not read as its messages. It is not written. */
export const notReadableBackError = (path: string): ColophonError =>
  new ColophonError(
    'not_readable_back',
    `The messages were not written to ${path}: the file would not read back as what it is to hold. Please report this with the messages.`,
    { path },
  );
