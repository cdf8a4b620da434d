import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { MachineContext, Root } from './context.js';

const hasJobs = ({ path }: Root): boolean =>
  statSync(join(path, 'var', 'jobs'), { throwIfNoEntry: false })?.isDirectory() === true;

/** The root that jobs and caches are written below: the first writable one that has `var/jobs`, else yours. */
export const stateRoot = ({ roots, userRoot }: Pick<MachineContext, 'roots' | 'userRoot'>): string =>
  roots.find((root) => root.writable && hasJobs(root))?.path ?? userRoot;
