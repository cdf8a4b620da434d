import { join } from 'node:path';
import type { AnalystFiles } from './task.js';

/** Bounds of a search for logs on disk, so that no tree, however deep or wide, is walked without end. */
const limits = { depth: 12, folders: 20_000 };

/** What lies in the sidecar of a log belongs to the log. */
const isNoSidecar = (name: string): boolean => !name.endsWith('.files');

const isLogName = (name: string): boolean => name.endsWith('.chat');

/** Files below a folder, at any depth within the bounds; links are not followed. The names of files and of folders are chosen. */
const filesBelow = async (
  folder: string,
  files: AnalystFiles,
  isWanted: (name: string) => boolean,
  isEntered: (name: string) => boolean = () => true,
): Promise<string[]> => {
  const found: string[] = [];
  const queue: [folder: string, depth: number][] = [[folder, 0]];
  for (let at = 0; at < queue.length && at < limits.folders; at++) {
    const [current, depth] = queue[at]!;
    for (const { name, kind } of await files.list(current)) {
      if (kind === 'file' && isWanted(name)) found.push(join(current, name));
      else if (kind === 'folder' && depth < limits.depth && isEntered(name))
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
      for (const path of await filesBelow(join(folder, name), files, isLogName, isNoSidecar)) found.push(path);
  }
  return found;
};

/** The `.jobs` files below a session's folder, wherever they are: each names the jobs that a chat waits for. */
export const jobsFilesBelow = (root: string, files: AnalystFiles): Promise<string[]> =>
  filesBelow(`${root}.files`, files, (name) => name.endsWith('.jobs'));
