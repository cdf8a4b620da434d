import { type FSWatcher, watch } from 'node:fs';
import { basename, dirname } from 'node:path';
import { onAbort } from './on-abort.js';

// What a watcher may miss, a network disk among it, is seen after this many milliseconds.
const safetyInterval = 1000;

/** Changes of a job's files: `next` settles with the next one since it was last asked, or after a while. */
export type Changes = { next: (signal?: AbortSignal) => Promise<void>; close: () => void };

/** Watches the files of a job: those whose name has that of its result, so that other jobs of the folder wake nobody. */
export const watchFolder = (path: string): Changes => {
  const own = basename(path);
  let changed = false;
  let wake: (() => void) | undefined;
  const tell = (): void => {
    changed = true;
    wake?.();
  };
  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(dirname(path), { persistent: false }, (_, name) => {
      if (name === null || name.startsWith(own) || name.startsWith(`.${own}`)) tell();
    }).on('error', () => watcher?.close());
  } catch {
    // The interval alone, then.
  }
  return {
    next: (signal) =>
      new Promise((resolve, reject) => {
        let stopListening = (): void => undefined;
        const done = (): void => {
          clearTimeout(timer);
          stopListening();
          wake = undefined;
          changed = false;
          resolve();
        };
        const timer = setTimeout(done, safetyInterval);
        wake = done;
        if (signal)
          stopListening = onAbort(signal, () => {
            clearTimeout(timer);
            wake = undefined;
            reject(signal.reason);
          });
        if (changed && !signal?.aborted) done();
      }),
    close: () => watcher?.close(),
  };
};
