import { inboxPaths } from '@colophon/prompt-strategies';
import { z } from 'zod';
import { shortPath } from '../address.js';
import { noteSchema, readNotes } from '../inbox.js';
import { defineFileTask } from '../task.js';

/** Notes that wait for a chat, and those that it got. */
export const inboxState = defineFileTask({
  name: 'inbox_state',
  description:
    'The notes in the inbox beside a chat: `pending` ones wait for the next real inference, `delivered` ones were handed to the model. Pass the chat that is being written; its inbox is its own. A chat that never had a note has two empty lists.',
  root: 'chat file',
  input: z.object({}),
  output: z.object({
    save_file: z.string(),
    files_dir: z.string(),
    inbox_dir: z.string(),
    inbox_removed_dir: z.string(),
    pending: z.array(noteSchema),
    delivered: z.array(noteSchema),
  }),
  run: async ({ root, context: { files, home } }) => {
    const { inbox, removed } = inboxPaths(root.path);
    return {
      save_file: shortPath(root.path, home),
      files_dir: shortPath(`${root.path}.files`, home),
      inbox_dir: shortPath(inbox, home),
      inbox_removed_dir: shortPath(removed, home),
      pending: await readNotes(inbox, files),
      delivered: await readNotes(removed, files),
    };
  },
});
