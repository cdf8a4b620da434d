import { isAbsolute, join, resolve } from 'node:path';
import { folderOf } from '../path-text.js';
import { statsOf } from './read-whole.js';

/** Where jobs are looked for: folders that hold `<Workflow>/<task>/<name>`, best first. */
export type JobPlaces = { jobRoots: readonly string[]; workingDirectory?: string | undefined };

const isJob = (path: string): boolean => statsOf(path) !== undefined || statsOf(`${path}.info`) !== undefined;

const lastThree = (reference: string): string =>
  reference
    .split('/')
    .filter((part) => part !== '')
    .slice(-3)
    .join('/');

/** `var/jobs` folders beside a file and above it, nearest first: a session that was moved as a whole finds its own. */
const nearJobs = (referrer: string): string[] => {
  const folders: string[] = [];
  for (let folder = folderOf(referrer); ; folder = folderOf(folder)) {
    folders.push(join(folder, 'var/jobs'));
    if (folder === folderOf(folder)) return folders;
  }
};

/**
 * Where the job is that `reference` names: as it stands, then below each job root, then below the `var/jobs` folders around the
 * file that refers to it. An absolute reference that is gone is looked up by its last three parts: its tree may have moved.
 */
export const findJob = (
  reference: string,
  referrer: string,
  { jobRoots, workingDirectory }: JobPlaces,
): string | undefined => {
  if (reference.includes('\0')) return undefined;
  const absolute = isAbsolute(reference);
  const asGiven = absolute ? resolve(reference) : workingDirectory && resolve(workingDirectory, reference);
  if (asGiven !== undefined && isJob(asGiven)) return asGiven;
  const names = absolute ? [lastThree(reference)] : [...new Set([reference, lastThree(reference)])];
  for (const folder of [...jobRoots, ...nearJobs(referrer)])
    for (const name of names) if (isJob(join(folder, name))) return join(folder, name);
  return undefined;
};
