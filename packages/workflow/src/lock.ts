import { rmdir, stat } from 'node:fs/promises';
import { lock } from 'proper-lockfile';
import type { WorkflowContext } from './context.js';
import { infoPath, lockPath, lockStale } from './job-paths.js';
import { readJob } from './read-job.js';

/** The lock of a job, held. `isOurs` looks at the disk: a process that was blocked for long may have lost it unseen. */
export type Hold = { isOurs: () => Promise<boolean>; release: () => Promise<void> };

type Host = Pick<WorkflowContext, 'host' | 'isAlive' | 'now'>;

type Mark = { inode: number; born: number };

const markOf = async (path: string): Promise<Mark | undefined> => {
  const facts = await stat(path).catch(() => undefined);
  return facts && { inode: facts.ino, born: facts.birthtimeMs };
};

const isSame = (one: Mark | undefined, other: Mark | undefined): boolean =>
  one !== undefined && other !== undefined && one.inode === other.inode && one.born === other.born;

const isHeld = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ELOCKED';

const take = async (path: string): Promise<Hold | undefined> => {
  const lockfilePath = lockPath(path);
  try {
    const release = await lock(path, {
      lockfilePath,
      realpath: false,
      stale: lockStale,
      update: lockStale / 6,
      onCompromised: () => undefined,
    });
    const mark = await markOf(lockfilePath);
    return {
      isOurs: async () => isSame(mark, await markOf(lockfilePath)),
      release: async () => {
        await release().catch(() => undefined);
      },
    };
  } catch (error) {
    if (isHeld(error)) return undefined;
    throw error;
  }
};

/**
 * The mark of a lock whose holder is known to be dead: a process of this host that wrote the `.info` after it took the lock. A lock that
 * is younger than the `.info` belongs to somebody who has not said yet who they are.
 */
const markOfDead = async (path: string, { host, isAlive }: Host): Promise<Mark | undefined> => {
  const mark = await markOf(lockPath(path));
  const written = await stat(infoPath(path)).catch(() => undefined);
  if (!mark || !written || mark.born > written.mtimeMs) return undefined;
  const { info } = await readJob(path);
  const dead = info.pid_hostname === host && info.pid !== undefined && !isAlive(info.pid);
  return dead ? mark : undefined;
};

/** Removes the lock of a dead process: under a lock of its own, so that no two remove, one the other's. */
const removeDead = async (path: string, mark: Mark): Promise<void> => {
  const lockfilePath = `${lockPath(path)}.takeover`;
  const release = await lock(path, {
    lockfilePath,
    realpath: false,
    stale: 5000,
    onCompromised: () => undefined,
  }).catch((error) => {
    if (!isHeld(error)) throw error;
  });
  if (!release) return;
  try {
    if (isSame(mark, await markOf(lockPath(path)))) await rmdir(lockPath(path)).catch(() => undefined);
  } finally {
    await release().catch(() => undefined);
  }
};

/**
 * Takes the lock of a job; undefined where another run holds it. A holder that has died is followed at once where it can be told, else
 * after `lockStale`.
 */
export const takeLock = async (path: string, host: Host): Promise<Hold | undefined> => {
  const hold = await take(path);
  if (hold) return hold;
  const dead = await markOfDead(path, host);
  if (!dead) return undefined;
  await removeDead(path, dead);
  return take(path);
};
