import { rmdir, stat } from 'node:fs/promises';
import { lock } from 'proper-lockfile';
import type { WorkflowContext } from './context.js';
import { infoPath, lockPath, lockStale } from './job-paths.js';
import { readJob } from './read-job.js';

/**
 * The lock of a job, held. `isOurs` looks at the disk: a process that was blocked for long may have lost it unseen. `inherited`: it was
 * taken over from a run that has died, which may have left things behind.
 */
export type Hold = { isOurs: () => Promise<boolean>; release: () => Promise<void>; inherited: boolean };

type Host = Pick<WorkflowContext, 'host' | 'isAlive' | 'now'>;

type Mark = { inode: number; born: number; refreshed: number };

const markOf = async (path: string): Promise<Mark | undefined> => {
  const facts = await stat(path).catch(() => undefined);
  return facts && { inode: facts.ino, born: facts.birthtimeMs, refreshed: facts.mtimeMs };
};

const isSame = (one: Mark | undefined, other: Mark | undefined): boolean =>
  one !== undefined && other !== undefined && one.inode === other.inode && one.born === other.born;

const isHeld = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ELOCKED';

const take = async (path: string, inherited: boolean): Promise<Hold | undefined> => {
  const lockfilePath = lockPath(path);
  try {
    const release = await lock(path, {
      lockfilePath,
      realpath: false,
      // Locks are taken over below alone, where no two can do it at the same time.
      stale: Number.MAX_SAFE_INTEGER,
      update: lockStale / 6,
      onCompromised: () => undefined,
    });
    const mark = await markOf(lockfilePath);
    const isOurs = async () => isSame(mark, await markOf(lockfilePath));
    return {
      isOurs,
      release: async () => {
        // One that was lost is another's, and stays.
        if (await isOurs()) await release().catch(() => undefined);
      },
      inherited,
    };
  } catch (error) {
    if (isHeld(error)) return undefined;
    throw error;
  }
};

/**
 * The mark of a lock that nobody will release: not refreshed for `lockStale`, or its holder is known to be dead, a process of this host that
 * wrote the `.info` after it took the lock. A lock that is younger than the `.info` belongs to somebody who has not said yet who they are.
 */
const markOfAbandoned = async (path: string, { host, isAlive, now }: Host): Promise<Mark | undefined> => {
  const mark = await markOf(lockPath(path));
  if (!mark || now().getTime() - mark.refreshed > lockStale) return mark;
  const written = await stat(infoPath(path)).catch(() => undefined);
  if (!written || mark.born > written.mtimeMs) return undefined;
  const { info } = await readJob(path);
  const dead = info.pid_hostname === host && info.pid !== undefined && !isAlive(info.pid);
  return dead ? mark : undefined;
};

/** Removes an abandoned lock: under a lock of its own, so that no two remove, one the other's. */
const removeAbandoned = async (path: string, mark: Mark): Promise<void> => {
  const takeover = `${lockPath(path)}.takeover`;
  const release = await lock(takeover, {
    lockfilePath: takeover,
    realpath: false,
    stale: 5000,
    onCompromised: () => undefined,
  }).catch((error) => {
    if (!isHeld(error)) throw error;
  });
  if (!release) return;
  try {
    const there = await markOf(lockPath(path));
    // One that is refreshed after all has a holder.
    if (isSame(mark, there) && mark.refreshed === there?.refreshed) await rmdir(lockPath(path)).catch(() => undefined);
  } finally {
    await release().catch(() => undefined);
  }
};

/**
 * Takes the lock of a job; undefined where another run holds it. A holder that has died is followed at once where it can be told, else
 * after `lockStale`.
 */
export const takeLock = async (path: string, host: Host): Promise<Hold | undefined> => {
  const hold = await take(path, false);
  if (hold) return hold;
  const abandoned = await markOfAbandoned(path, host);
  if (!abandoned) return undefined;
  await removeAbandoned(path, abandoned);
  return take(path, true);
};
