import { setTimeout as wait } from 'node:timers/promises';

const signal = (leader: number, name: NodeJS.Signals | 0): boolean => {
  try {
    process.kill(process.platform === 'win32' ? leader : -leader, name);
    return true;
  } catch {
    return false;
  }
};

// Groups whose end nobody has awaited yet. A program that exits, or dies of an error, without closing its clients ends them here.
const living = new Set<number>();
const onExit = () => {
  for (const leader of living) signal(leader, 'SIGTERM');
};

/** Remembers the group that a detached process leads, so that the end of this program ends it. */
export const watchGroup = (leader: number): void => {
  if (living.size === 0) process.on('exit', onExit);
  living.add(leader);
};

const forgetGroup = (leader: number): void => {
  living.delete(leader);
  if (living.size === 0) process.off('exit', onExit);
};

const gone = async (leader: number, within: number): Promise<boolean> => {
  for (let waited = 0, step = 5; signal(leader, 0); waited += step, step = Math.min(step * 2, 50)) {
    if (waited >= within) return false;
    await wait(step);
  }
  return true;
};

/**
 * Ends a process and all that it started and that stayed in its group. It has `patience` milliseconds to go by itself, gets
 * SIGTERM, and after `grace` more SIGKILL. Resolves when nothing of the group is left, at the latest one more grace later.
 */
export const endGroup = async (leader: number, patience: number, grace: number): Promise<void> => {
  if (!(await gone(leader, patience))) {
    signal(leader, 'SIGTERM');
    if (!(await gone(leader, grace))) {
      signal(leader, 'SIGKILL');
      await gone(leader, grace);
    }
  }
  forgetGroup(leader);
};
