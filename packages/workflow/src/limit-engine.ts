import { AsyncLocalStorage } from 'node:async_hooks';
import { localEngine } from './engine.js';
import type { Engine } from './job.js';
import { onAbort } from './on-abort.js';

/**
 * An engine that runs at most so many jobs at a time, whoever asks: one for all tools of a run makes one limit for all their jobs. A job
 * that a running one asks for, by way of an agent or otherwise, takes no place of its own, since the first would wait for it for ever.
 */
export const limitEngine = (concurrency: number, engine: Engine = localEngine): Engine => {
  const inside = new AsyncLocalStorage<true>();
  const waiting: (() => void)[] = [];
  let running = 0;
  const enter = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      if (running < concurrency) {
        running++;
        return resolve();
      }
      const go = () => {
        stopListening();
        resolve();
      };
      const stopListening = onAbort(signal, () => {
        waiting.splice(waiting.indexOf(go), 1);
        reject(signal.reason);
      });
      waiting.push(go);
    });
  const leave = () => {
    const next = waiting.shift();
    if (next) next();
    else running--;
  };
  return {
    name: engine.name,
    run: async (path, options) => {
      if (inside.getStore()) return engine.run(path, options);
      await enter(options.signal);
      try {
        await inside.run(true, () => engine.run(path, options));
      } finally {
        leave();
      }
    },
  };
};
