import { readdir } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';

/** What stands beside a chat's file while it runs: notes for it, notes that were delivered, and the jobs it waits for. */
export type InboxPaths = { inbox: string; removed: string; jobs: string };

const withoutChat = (path: string): string =>
  path.endsWith('.chat') && basename(path) !== '.chat' ? path.slice(0, -5) : path;

/** The paths beside a chat's file: its last extension is taken off for the inbox, a trailing `.chat` alone for the jobs. */
export const inboxPaths = (saveFile: string): InboxPaths => {
  const extension = extname(saveFile);
  const stem = extension === '' ? saveFile : saveFile.slice(0, -extension.length);
  return { inbox: `${stem}.inbox`, removed: `${stem}.inbox_removed`, jobs: `${withoutChat(saveFile)}.jobs` };
};

const chatsIn = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile() && entry.name.endsWith('.chat')).map((entry) => entry.name);
  return names.sort().map((name) => join(folder, name));
};

/**
 * The chat files whose inboxes belong to one conversation, in the order in which they are read. `x.chat` keeps its full
 * transcript at `x.chat.files/<name>.chat`: whichever of the two is saved to, the notes beside `x.chat` come first.
 */
export const inboxOwners = async (saveFile: string): Promise<string[]> => {
  const folder = dirname(saveFile);
  if (folder.endsWith('.chat.files')) return [folder.slice(0, -'.files'.length), saveFile];
  return [saveFile, ...(await chatsIn(`${saveFile}.files`))];
};
