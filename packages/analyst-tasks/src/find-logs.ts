import { join } from 'node:path';
import type { AnalystFiles } from './task.js';

/** Bounds of a search for logs on disk, so that no tree, however deep or wide, is walked without end. */
const limits = { depth: 12, folders: 20_000 };

const isLogName = (name: string): boolean => name.endsWith('.chat');

/** Chats below a folder, at any depth within the bounds; links are not followed. `names` chooses files. */
const filesBelow = async (folder: string, files: AnalystFiles, names: (name: string) => boolean): Promise<string[]> => {
  const found: string[] = [];
  const queue: [folder: string, depth: number][] = [[folder, 0]];
  for (let at = 0; at < queue.length && at < limits.folders; at++) {
    const [current, depth] = queue[at]!;
    for (const { name, kind } of await files.list(current)) {
      if (kind === 'file' && names(name)) found.push(join(current, name));
      else if (kind === 'folder' && depth < limits.depth && !name.endsWith('.files'))
        queue.push([join(current, name), depth + 1]);
    }
  }
  return found;
};

/** The logs that a job or chat has on disk, whether or not anything refers to them: `*.chat`, `*.society/**`, `log/**`. */
export const logsOnDisk = async (root: string, files: AnalystFiles): Promise<string[]> => {
  const folder = `${root}.files`;
  const found: string[] = [];
  for (const { name, kind } of await files.list(folder)) {
    if (kind === 'file' && isLogName(name)) found.push(join(folder, name));
    else if (kind === 'folder' && (name.endsWith('.society') || name === 'log'))
      for (const path of await filesBelow(join(folder, name), files, isLogName)) found.push(path);
  }
  return found;
};

/** The `.jobs` files below a session's folder: each names the jobs that a chat waits for. */
export const jobsFilesBelow = (root: string, files: AnalystFiles): Promise<string[]> =>
  filesBelow(`${root}.files`, files, (name) => name.endsWith('.jobs'));
