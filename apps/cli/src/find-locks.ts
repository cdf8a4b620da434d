import { readdirSync, readFileSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** A lock or a hold beside a file, and whether what made it is gone. */
export type Leftover = { path: string; stale: boolean; said: string };

const staleMilliseconds = 60_000;

/** Whether a process of this machine lives. */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

const readHold = (path: string, now: Date): Leftover => {
  try {
    const { pid, host, since } = JSON.parse(readFileSync(path, 'utf8')) as { pid: number; host: string; since: string };
    const stale = host === hostname() ? !isRunning(pid) : now.getTime() - statSync(path).mtimeMs > staleMilliseconds;
    return { path, stale, said: `held by process ${pid} on ${host} since ${since}` };
  } catch {
    return { path, stale: true, said: 'a hold that can not be read' };
  }
};

const readLock = (path: string, now: Date): Leftover => {
  const age = now.getTime() - statSync(path).mtimeMs;
  return { path, stale: age > staleMilliseconds, said: `locked for ${Math.round(age / 1000)} s` };
};

/** The locks (`.NAME.lock`) and holds (`.NAME.hold`) in a folder. */
export const findLocks = (folder: string, now: Date): Leftover[] => {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const path = join(folder, name);
    if (/^\..*\.hold$/.test(name)) return [readHold(path, now)];
    return /^\..*\.lock$/.test(name) ? [readLock(path, now)] : [];
  });
};
