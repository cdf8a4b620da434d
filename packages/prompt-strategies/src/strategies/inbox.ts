import type { Dirent } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Message } from '@colophon/chat-format';
import { abortedError } from '../errors.js';
import { type InboxPaths, inboxOwners, inboxPaths } from '../inbox-paths.js';
import { repairPairs } from '../repair-pairs.js';
import type { Strategy, StrategyContext } from '../strategy.js';
import { type TakenNote, takeNote, type Untaken } from '../take-note.js';

const abortName = 'abort';

const explanations: Record<Untaken['reason'], string> = {
  gone: 'it is no longer there',
  empty: 'it is empty',
  not_a_file: 'it is not a regular file',
  unreadable: 'it cannot be read',
  binary: 'it holds binary data',
  immovable: 'it cannot be moved',
};

const warn = (context: StrategyContext, path: string, { reason, cause }: Untaken): void => {
  if (reason === 'gone') return;
  const detail = cause instanceof Error ? ` (${cause.message})` : '';
  context.onWarning?.({
    code: `note_${reason}`,
    message: `The note ${path} was not delivered: ${explanations[reason]}${detail}.`,
    path,
  });
};

/** Ends the inference where an `abort` lies in an inbox, also one that can't be read: its name says enough. */
const abortIfAsked = async ({ inbox, removed }: InboxPaths): Promise<void> => {
  const path = join(inbox, abortName);
  if (
    !(await lstat(path).then(
      (stat) => stat.isFile(),
      () => false,
    ))
  )
    return;
  const note = await takeNote(inbox, removed, abortName, true);
  if (!('reason' in note))
    throw abortedError(note.text.trim() || `Inbox abort: the note ${path} gives no reason`, path);
  if (note.reason === 'gone' || note.reason === 'not_a_file') return;
  throw abortedError(`Inbox abort: the note ${path} stays in place, ${explanations[note.reason]}`, path);
};

const noteNames = async (inbox: string, context: StrategyContext): Promise<string[]> => {
  const entries = await readdir(inbox, { withFileTypes: true }).catch((cause: NodeJS.ErrnoException): Dirent[] => {
    if (cause.code !== 'ENOENT' && cause.code !== 'ENOTDIR') {
      context.onWarning?.({
        code: 'inbox_unreadable',
        message: `The inbox ${inbox} cannot be read (${cause.message}).`,
        path: inbox,
      });
    }
    return [];
  });
  const visible = entries.filter(({ name }) => !name.startsWith('.') && name !== abortName);
  for (const entry of visible) {
    if (!entry.isFile() && !entry.isDirectory()) warn(context, join(inbox, entry.name), { reason: 'not_a_file' });
  }
  return visible
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
};

const noteMessage = ({ name, file, text, hash }: TakenNote): Message => ({
  role: 'user',
  content: text.trim() === '' ? `[The note ${name} holds white space only.]` : text,
  inbox: `${basename(file)}:${hash}`,
});

/**
 * Puts the notes of the chat's inbox behind the prompt, one `user` message each, in the order of their names. Each is moved
 * to `inbox_removed` before it is read, so that none is delivered twice. Notes that can't be delivered stay and are told to
 * `onWarning`; delivered ones are told to `onInbox` as `name:hash`, with the name under which they were put away.
 *
 * @throws ColophonError `aborted` where a note is named `abort`; `facts.reason` is its text. Nothing else is touched then.
 */
export const inbox: Strategy = async (chat, context) => {
  if (context.saveFile === undefined) return chat;
  const inboxes = (await inboxOwners(context.saveFile)).map(inboxPaths);
  for (const paths of inboxes) await abortIfAsked(paths);

  const notes: Message[] = [];
  for (const paths of inboxes) {
    for (const name of await noteNames(paths.inbox, context)) {
      const note = await takeNote(paths.inbox, paths.removed, name);
      if ('reason' in note) warn(context, join(paths.inbox, name), note);
      else notes.push(noteMessage(note));
    }
  }
  if (notes.length === 0) return chat;
  context.onInbox?.(notes.map((note) => String(note['inbox'])));
  return [...repairPairs(chat, context), ...notes];
};
