import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { MachineContext } from './context.js';

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

/** Where answers are kept: below the first writable root that has `var/jobs`, else below yours. */
export const cachePlace = ({ roots, userRoot }: Pick<MachineContext, 'roots' | 'userRoot'>): { folder: string } => {
  const root = roots.find(({ path, writable }) => writable && isFolder(join(path, 'var', 'jobs')));
  return { folder: join(root?.path ?? userRoot, 'var', 'cache', 'ask') };
};
