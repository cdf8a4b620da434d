import { access } from 'node:fs/promises';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { type Chat, parseChat } from '@colophon/chat-format';
import { holdFile, readText } from '@colophon/chat-format/node';
import { pendingCalls } from '@colophon/tools';
import { type AskInput, type AskOptions, toMessages } from './ask-options.js';
import type { AskContext } from './context.js';
import { badInput, chatMissing, relativePath, saveFileDiffers } from './errors.js';
import { openRecorder, type Recorder } from './recorder.js';
import { same } from './same.js';
import { endsTorn, withoutPiece } from './torn-end.js';

/** What is asked, opened: the file is held until `close`. */
export type RunInput = {
  /** The chat's file, absolute. */
  file?: string;
  /** The stored messages, without the question. */
  stored: Chat;
  /** Messages that are to be recorded before the first request. */
  question: Chat;
  /** The file ends within a line: a last text may be only the beginning of one. */
  torn: boolean;
  /** The file ends in calls without outputs, and these are recorded before the question. */
  settlesFirst: boolean;
  recorder: Recorder;
  close: () => Promise<void>;
};

type FileInput = Extract<AskInput, { file: string }>;

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

// A bare name is a file of the working directory, else of the first root's chats that has it; a new one goes to the first root's.
const resolveFile = async (path: string, { workingDirectory, roots }: AskContext): Promise<string> => {
  if (isAbsolute(path)) return path;
  if (workingDirectory === undefined) throw relativePath(path);
  const here = resolve(workingDirectory, path);
  if (basename(path) !== path || (await exists(here))) return here;
  const inChats = roots.map((root) => join(root.path, 'chats', path));
  for (const place of inChats) if (await exists(place)) return place;
  return inChats[0] ?? here;
};

const readIfThere = async (file: string): Promise<string> => ((await exists(file)) ? readText(file) : '');

// The same question at the end of a file, unanswered: it was recorded by a run whose request failed.
const withoutRepeat = (stored: Chat, question: Chat): Chat => {
  const end = stored.slice(stored.length - question.length);
  const repeated =
    question.length > 0 &&
    stored.length >= question.length &&
    question.every((message, index) => same(message, end[index]!));
  return repeated ? [] : question;
};

const toolRoles = new Set(['function_call', 'function_call_output', 'mcp_call']);

// A question that answers no call stands behind the outputs of calls that are still open.
const settles = (stored: Chat, question: Chat): boolean =>
  question.length > 0 && !question.some(({ role }) => toolRoles.has(role)) && pendingCalls(stored).length > 0;

type Opened = Omit<RunInput, 'recorder' | 'close'>;

const openFile = async (file: string, question: FileInput['question']): Promise<Opened> => {
  const text = await readIfThere(file);
  const stored = withoutPiece(parseChat(text, { file }), text);
  const asked = question === undefined ? [] : toMessages(question);
  const settlesFirst = settles(stored, asked);
  return { file, stored, torn: endsTorn(text), question: withoutRepeat(stored, asked), settlesFirst };
};

const openSaved = async (file: string, chat: Chat): Promise<Opened> => {
  const text = await readIfThere(file);
  const held = withoutPiece(parseChat(text, { file }), text);
  const difference = held.findIndex((message, index) => chat[index] === undefined || !same(message, chat[index]));
  if (difference >= 0) throw saveFileDiffers(file, held.length, difference);
  const question = chat.slice(held.length);
  return {
    file,
    stored: chat.slice(0, held.length),
    question,
    torn: endsTorn(text),
    settlesFirst: settles(held, question),
  };
};

const isFile = (input: AskInput): input is FileInput => typeof input === 'object' && !Array.isArray(input);

const checkInput = (input: unknown): void => {
  if (typeof input === 'string' || Array.isArray(input)) return;
  const file = typeof input === 'object' && input !== null ? (input as { file?: unknown }).file : undefined;
  if (typeof file !== 'string' || file === '') throw badInput(input);
};

const open = async (input: AskInput, file: string | undefined): Promise<Opened> => {
  if (file !== undefined) return isFile(input) ? openFile(file, input.question) : openSaved(file, toMessages(input));
  return { stored: isFile(input) ? [] : toMessages(input), question: [], torn: false, settlesFirst: false };
};

/**
 * Reads what is asked. A file is held first, so that no second run reads and writes it at the same time (`held` says who has
 * it). Throws `chat_missing`, `save_file_differs`, `relative_path` and the errors of reading.
 */
export const openInput = async (
  input: AskInput,
  { saveFile }: AskOptions,
  context: AskContext,
  { hold: holds = true } = {},
): Promise<RunInput> => {
  checkInput(input);
  const path = isFile(input) ? input.file : saveFile;
  const file = path === undefined ? undefined : await resolveFile(path, context);
  if (file !== undefined && isFile(input) && input.question === undefined && !(await exists(file)))
    throw chatMissing(file);
  const hold = file !== undefined && holds ? await holdFile(file, { label: 'ask' }) : undefined;
  const close = async () => hold?.release();
  try {
    return { ...(await open(input, file)), recorder: await openRecorder(file), close };
  } catch (error) {
    await close();
    throw error;
  }
};
