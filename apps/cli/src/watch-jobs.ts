import { setTimeout } from 'node:timers/promises';
import type { WorkflowToolsOptions } from '@colophon/tools';

type OnWait = NonNullable<WorkflowToolsOptions['onWait']>;

/** Milliseconds in which a stopped job ends: its programs are asked first, killed two seconds later, and its record is written. */
const patience = 10_000;

/**
 * Knows which jobs the tools of a run wait for. A call that is stopped is answered at once, while its job still has programs to end and
 * a record to write: `ended` resolves when none is left, so that a process does not go away under them.
 */
export const watchJobs = (onWait?: OnWait): { onWait: OnWait; ended: () => Promise<void> } => {
  const running = new Set<Promise<void>>();
  return {
    onWait: async (job, call) => {
      let end = () => {};
      const promise = new Promise<void>((resolve) => {
        end = resolve;
      });
      running.add(promise);
      const stopWaiting = await onWait?.(job, call);
      return async () => {
        await stopWaiting?.();
        running.delete(promise);
        end();
      };
    },
    ended: async () => {
      const over = new AbortController();
      const late = setTimeout(patience, undefined, { signal: over.signal }).catch(() => undefined);
      await Promise.race([Promise.all(running), late]);
      over.abort();
    },
  };
};
