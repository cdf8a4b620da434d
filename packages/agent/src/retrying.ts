import { setTimeout as wait } from 'node:timers/promises';

/** Says what becomes of a failure: milliseconds after which it is tried again, or nothing. `attempt` counts from 1. */
export type OnError = (error: unknown, attempt: number) => number | undefined | Promise<number | undefined>;

/** Tries of one question, whatever `onError` says. */
const maxAttempts = 10;

/** Tries until it works, `onError` says no more, or the attempts are used up. */
export const retrying = async <T>(
  run: () => Promise<T>,
  onError: OnError | undefined,
  signal: AbortSignal | undefined,
): Promise<T> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const delay = attempt < maxAttempts && !signal?.aborted ? await onError?.(error, attempt) : undefined;
      if (typeof delay !== 'number') throw error;
      await wait(Math.max(0, delay), undefined, signal ? { signal } : {});
    }
  }
};
