import { join } from 'node:path';
import type { MachineContext } from './context.js';
import { stateRoot } from './state-root.js';

/** Where answers are kept. */
export const cachePlace = (context: Pick<MachineContext, 'roots' | 'userRoot'>): { folder: string } => ({
  folder: join(stateRoot(context), 'var', 'cache', 'ask'),
});
