import { join } from 'node:path';
import { inboxPaths } from '@colophon/prompt-strategies';
import { z } from 'zod';
import { shortPath } from '../address.js';
import { badInput } from '../errors.js';
import { defineFileTask } from '../task.js';

const name = 'post_inbox_advice';

/** `20261201-093015-advice.md`, in universal time. */
const defaultName = (now: Date): string =>
  `${now.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')}-advice.md`;

/** Why a name can't be that of a note; undefined where it can. */
const problemOf = (note: string): string | undefined => {
  if (note === 'abort') return '`abort` is the note that ends an inference; advice needs another name';
  if (note.startsWith('.')) return `\`${note}\` begins with a dot and would never be delivered`;
  if (/[/\\]|\p{Cc}/u.test(note)) return `\`${note}\` is a path; expected the plain name of a file`;
  return Buffer.byteLength(note) > 200
    ? `the name has ${Buffer.byteLength(note)} bytes, at most 200 are taken`
    : undefined;
};

/** Leaves a note for a running chat: the only task that writes. */
export const postInboxAdvice = defineFileTask({
  name,
  description:
    'Posts a note into the inbox of a chat. The model gets it as a user message with its next real inference, once; an answer from the cache delivers nothing. The note never stands in the transcript: `inbox_state` shows whether it was delivered. For a running chat post to the file that `live_chats` marks as active. Never overwrites a note.',
  root: 'chat file',
  writes: true,
  input: z.object({
    message: z.string().describe('the text of the note; not blank'),
    name: z.string().min(1).optional().describe('name of the file; by default the time and `-advice.md`'),
  }),
  output: z.object({
    posted: z.string().describe('path of the note'),
    name: z.string(),
    save_file: z.string(),
    inbox_dir: z.string(),
    size: z.number().int().describe('bytes'),
    note: z.string(),
  }),
  check: ({ message, name: note }) => {
    if (message.trim() === '') throw badInput(name, '`message` is blank; expected the text of the note');
    const problem = note === undefined ? undefined : problemOf(note);
    if (problem !== undefined) throw badInput(name, problem);
  },
  run: async ({ root, context: { files, home, now } }, { message, name: given }) => {
    const note = given ?? defaultName(now());
    const { inbox } = inboxPaths(root.path);
    const path = join(inbox, note);
    try {
      await files.createFile(path, message);
    } catch (cause) {
      const { code, message: why } = cause as NodeJS.ErrnoException;
      if (code === 'EEXIST') throw badInput(name, `${shortPath(path, home)} is there already; give another \`name\``);
      throw badInput(name, `the note could not be left at ${shortPath(path, home)}: ${why}`);
    }
    return {
      posted: shortPath(path, home),
      name: note,
      save_file: shortPath(root.path, home),
      inbox_dir: shortPath(inbox, home),
      size: Buffer.byteLength(message),
      note: 'Delivered once, with the next inference that is really made; until then it is pending in `inbox_state`.',
    };
  },
});
