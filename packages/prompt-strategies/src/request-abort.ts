import { mkdir, mkdtemp, rename, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inboxPaths } from './inbox-paths.js';

/**
 * Asks the run of a chat to stop before its next request: leaves the note `abort` in its inbox, with the reason as its text. One
 * that waits there already gets the new reason. For programs and people; never offered to a model. Returns the path of the note.
 */
export const requestAbort = async (chatFile: string, reason: string): Promise<string> => {
  const { inbox } = inboxPaths(chatFile);
  await mkdir(inbox, { recursive: true });
  const note = join(inbox, 'abort');
  // Whole at once: a reader may come at any moment. Hidden names are never taken for notes.
  const making = await mkdtemp(join(inbox, '.abort-'));
  const draft = join(making, 'abort');
  await writeFile(draft, reason);
  await rename(draft, note);
  await rmdir(making);
  return note;
};
