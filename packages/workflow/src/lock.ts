import { lstat, lutimes, readlink, rm, symlink } from 'node:fs/promises';
import type { WorkflowContext } from './context.js';
import { lockPath, lockStale } from './job-paths.js';

/**
 * The lock of a job, held. `isOurs` looks at the disk: a process that was blocked for long may have lost it unseen. `inherited`: it was
 * taken over from a run that has died, which may have left things behind.
 */
export type Hold = { isOurs: () => Promise<boolean>; release: () => Promise<void>; inherited: boolean };

/** Who takes locks, and what they know of others. */
export type LockHost = Pick<WorkflowContext, 'host' | 'pid' | 'randomId' | 'isAlive' | 'now'>;

/** A lock as it stands on disk. `owner`: what it says of its holder; undefined where it is no link. */
type Lock = { owner: string | undefined; refreshed: number };

const ownerOf = (lock: string): Promise<string | undefined> => readlink(lock).catch(() => undefined);

const lookAt = async (lock: string): Promise<Lock | undefined> => {
  const facts = await lstat(lock).catch(() => undefined);
  return facts && { owner: await ownerOf(lock), refreshed: facts.mtimeMs };
};

/**
 * Makes a lock that says who holds it: a symbolic link whose target is no path but `<pid> <host> <id>`. It is made at once, with what it
 * says, or not at all; a file would be empty for a moment. Undefined where there is one.
 */
const create = async (lock: string, { pid, host, randomId }: LockHost): Promise<string | undefined> => {
  const owner = `${pid} ${host} ${randomId()}`;
  try {
    await symlink(owner, lock);
    return owner;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
};

/**
 * Whether nobody will release a lock: its holder is a dead process of this host, or has not refreshed it for `lockStale`. One that has the
 * id of this process may be another of its threads, or have had the id before: only time tells.
 */
const isAbandoned = ({ owner = '', refreshed }: Lock, { host, isAlive, now }: LockHost): boolean => {
  const [itsPid, itsHost] = owner.split(' ');
  if (itsHost === host && !isAlive(Number(itsPid))) return true;
  return now().getTime() - refreshed > lockStale;
};

const take = async (lock: string, host: LockHost, inherited: boolean): Promise<Hold | undefined> => {
  const owner = await create(lock, host);
  if (owner === undefined) return undefined;
  const isOurs = async () => (await ownerOf(lock)) === owner;
  const refresh = async () => {
    const now = host.now();
    if (await isOurs()) await lutimes(lock, now, now).catch(() => undefined);
  };
  const timer = setInterval(refresh, lockStale / 6).unref();
  return {
    isOurs,
    release: async () => {
      clearInterval(timer);
      // One that was lost is another's, and stays.
      if (await isOurs()) await rm(lock, { force: true });
    },
    inherited,
  };
};

/** Removes an abandoned lock: under a lock of its own, so that no two remove, one the other's. */
const removeAbandoned = async (lock: string, seen: Lock, host: LockHost): Promise<void> => {
  const guard = `${lock}.takeover`;
  const owner = await create(guard, host);
  if (owner === undefined) {
    const other = await lookAt(guard);
    if (other && isAbandoned(other, host)) await rm(guard, { force: true });
    return;
  }
  try {
    const there = await lookAt(lock);
    // One that is refreshed after all has a holder.
    if (there && there.owner === seen.owner && there.refreshed === seen.refreshed)
      await rm(lock, { force: true, recursive: true });
  } finally {
    await rm(guard, { force: true });
  }
};

/** Whether a run holds a job, on any host: it has a lock that is not abandoned. */
export const isHeld = async (path: string, host: LockHost): Promise<boolean> => {
  const there = await lookAt(lockPath(path));
  return there !== undefined && !isAbandoned(there, host);
};

/**
 * Takes the lock of a job; undefined where another run holds it. A holder of this host that has died is followed at once, any other after
 * `lockStale`.
 */
export const takeLock = async (path: string, host: LockHost): Promise<Hold | undefined> => {
  const lock = lockPath(path);
  const hold = await take(lock, host, false);
  if (hold) return hold;
  const there = await lookAt(lock);
  if (!there || !isAbandoned(there, host)) return undefined;
  await removeAbandoned(lock, there, host);
  return take(lock, host, true);
};
