import { AsyncLocalStorage } from 'node:async_hooks';

// Follows a run through whatever it calls, tools and agents among it, so that a job that asks for itself is told and does not wait.
const running = new AsyncLocalStorage<ReadonlySet<string>>();

/** Paths of the jobs that what runs now is a part of. */
export const ancestors = (): ReadonlySet<string> => running.getStore() ?? new Set();

/** Runs something as a part of a job. */
export const asPartOf = <T>(path: string, action: () => Promise<T>): Promise<T> =>
  running.run(new Set([...ancestors(), path]), action);
