import { setMaxListeners } from 'node:events';

/**
 * One signal for several, with its release: after that nothing of it hangs on the longer-lived ones, and it does not abort any more.
 * (`AbortSignal.any` holds what listens to it as long as they live.)
 */
export const joinSignals = (...signals: readonly (AbortSignal | undefined)[]) => {
  const controller = new AbortController();
  const releases = signals.map((signal) => {
    const abort = () => controller.abort(signal?.reason);
    if (signal?.aborted) abort();
    // Each request listens: many are no leak here.
    if (signal) setMaxListeners(0, signal);
    signal?.addEventListener('abort', abort);
    return () => signal?.removeEventListener('abort', abort);
  });
  return {
    signal: controller.signal,
    release: () => {
      for (const release of releases) release();
    },
  };
};

/** The longest time that a timer runs, milliseconds: no limit, where others watch the time. */
export const longestTime = 2 ** 31 - 1;
