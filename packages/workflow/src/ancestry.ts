import { AsyncLocalStorage } from 'node:async_hooks';

// Follows a run through whatever it calls, tools and agents among it, so that a job that asks for itself is told and does not wait.
const running = new AsyncLocalStorage<ReadonlySet<string>>();

/** Paths of the jobs that what runs now is a part of. */
export const ancestors = (): ReadonlySet<string> => running.getStore() ?? new Set();

/** Runs something as a part of a job. */
export const asPartOf = <T>(path: string, action: () => Promise<T>): Promise<T> =>
  running.run(new Set([...ancestors(), path]), action);

/** Runs that wait for a job which another run of this process holds: all jobs that each is a part of. */
const waiting = new Set<{ by: ReadonlySet<string>; path: string }>();

/**
 * Whether a job that is held waits, itself or by way of others, for one that what runs now is a part of: both would wait for ever. Sees the
 * runs of this process. Cost: jobs that are waited for, twice over.
 */
export const wouldWaitForItself = (path: string): boolean => {
  const reached = new Set([path]);
  for (const one of reached) for (const wait of waiting) if (wait.by.has(one)) reached.add(wait.path);
  return [...ancestors()].some((one) => reached.has(one));
};

/** Waits for a job that another run holds. */
export const asWaiting = async (path: string, action: () => Promise<void>): Promise<void> => {
  const wait = { by: ancestors(), path };
  waiting.add(wait);
  try {
    await action();
  } finally {
    waiting.delete(wait);
  }
};
