import { setMaxListeners } from 'node:events';

/** Calls an action when a signal is aborted, at once where it is already; gives what ends the listening. Any number may listen to one signal. */
export const onAbort = (signal: AbortSignal, action: () => void): (() => void) => {
  if (signal.aborted) {
    action();
    return () => undefined;
  }
  // Each job that runs listens: many listeners are no leak here.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', action, { once: true });
  return () => signal.removeEventListener('abort', action);
};
