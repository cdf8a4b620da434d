import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';
import type { MachineContext, Root } from './context.js';

const mayWriteJobs = ({ path }: Root): boolean => {
  const jobs = join(path, 'var', 'jobs');
  if (!statSync(jobs, { throwIfNoEntry: false })?.isDirectory()) return false;
  try {
    accessSync(jobs, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** The root that jobs and caches are written below: the first whose `var/jobs` is there and may be written, else yours. */
export const stateRoot = ({ roots, userRoot }: Pick<MachineContext, 'roots' | 'userRoot'>): string =>
  roots.find((root) => root.writable && mayWriteJobs(root))?.path ?? userRoot;
