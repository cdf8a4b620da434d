import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type LockOptions, lock } from 'proper-lockfile';
import { fileError, lockedError, lockLostError } from '../errors.js';
import { realTarget } from './paths.js';

/** A file beside another one, which belongs to it. */
export const besideFile = (target: string, ending: string): string =>
  join(dirname(target), `.${basename(target)}.${ending}`);

/** The lock of a process that died is taken over after this time; a living holder renews its own every second. */
const staleMilliseconds = 4_000;

/** Milliseconds between tries for a lock that another holds: often at first, for about half a minute in all. */
const pauses = Array.from({ length: 320 }, (_, tries) => Math.min(4 * 1.4 ** tries, 100) * (1 + Math.random()));

/** Tries again only while somebody holds the lock: a folder that may not be written will not become writable. */
const lockPatiently = async (target: string, options: LockOptions) => {
  for (const pause of pauses) {
    try {
      return await lock(target, options);
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'ELOCKED') throw cause;
      await setTimeout(pause);
    }
  }
  return lock(target, options);
};

/**
 * Runs an action while no other one runs under the lock of the same file, in this process or another. Paths that lead
 * to one file share the lock; the file need not exist. The action gets the file's real path.
 */
export const withLock = async <Result>(path: string, action: (target: string) => Promise<Result>): Promise<Result> => {
  const target = await realTarget(path);
  const lockfilePath = besideFile(target, 'lock');
  let lost: Error | undefined;
  const release = await lockPatiently(target, {
    lockfilePath,
    realpath: false,
    stale: staleMilliseconds,
    update: 1_000,
    onCompromised: (error) => {
      lost = error;
    },
  }).catch((cause) => {
    throw cause.code === 'ELOCKED' ? lockedError(path, lockfilePath, cause) : fileError('lock', path, cause);
  });
  const result = await action(target).finally(() => release().catch(() => {}));
  if (lost) throw lockLostError(path, lost);
  return result;
};
