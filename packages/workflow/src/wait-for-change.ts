import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';

// What a watcher may miss, a network disk among it, is seen after this many milliseconds.
const safetyInterval = 1000;

/** Changes in the folder of a file: `next` settles with the next one since it was last asked, or after a while. */
export type Changes = { next: (signal?: AbortSignal) => Promise<void>; close: () => void };

/** Watches the folder of a file. */
export const watchFolder = (path: string): Changes => {
  let changed = false;
  let wake: (() => void) | undefined;
  const tell = (): void => {
    changed = true;
    wake?.();
  };
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(dirname(path), { persistent: false }, tell).on('error', () => watcher?.close());
  } catch {
    // The interval alone, then.
  }
  return {
    next: (signal) =>
      new Promise((resolve, reject) => {
        const done = (): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', stop);
          wake = undefined;
          changed = false;
          resolve();
        };
        const stop = (): void => {
          clearTimeout(timer);
          wake = undefined;
          reject(signal?.reason);
        };
        const timer = setTimeout(done, safetyInterval);
        wake = done;
        if (signal?.aborted) stop();
        else if (changed) done();
        else signal?.addEventListener('abort', stop, { once: true });
      }),
    close: () => watcher?.close(),
  };
};
