import { setTimeout as wait } from 'node:timers/promises';

const running = new Set<number>();

const send = (group: number, signal: NodeJS.Signals | 0): boolean => {
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    return false;
  }
};

const killAll = () => {
  for (const group of running) send(group, 'SIGKILL');
};

/** Notes a process group, which ends with this process unless it is let go before. */
export const holdGroup = (group: number): void => {
  if (running.size === 0) process.on('exit', killAll);
  running.add(group);
};

const letGo = (group: number): void => {
  running.delete(group);
  if (running.size === 0) process.off('exit', killAll);
};

/**
 * Ends all processes of a group: asks them to end, and kills those that are left after `grace` milliseconds. Settles when none is
 * left. A group that has ended already costs one system call.
 */
export const endGroup = async (group: number, grace: number): Promise<void> => {
  const step = 20;
  let alive = send(group, 'SIGTERM');
  for (let waited = 0; alive && waited < grace; waited += step) {
    await wait(step);
    alive = send(group, 0);
  }
  if (alive) send(group, 'SIGKILL');
  letGo(group);
};
