import type { JobInfo } from './job.js';
import { writeInfo } from './store.js';

/** The `.info` of a running job: one state, written through, one write after the other. */
export type JobLog = {
  info: () => JobInfo;
  /** Sets keys, and writes. What is asked for while a write is on its way goes with the next one. */
  set: (values: Partial<JobInfo>) => Promise<void>;
  message: (text: string) => Promise<void>;
  /** Ends it, what is on its way written: what a task that was given up still says is left out. */
  close: () => Promise<void>;
};

/** Keeps the `.info` of a job. `id` tells its temporary files from those of others. */
export const keepLog = (path: string, start: JobInfo, id: string): JobLog => {
  let info = start;
  let writing: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  let closed = false;
  const flush = (): Promise<void> => {
    next ??= writing
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        writing = writeInfo(path, info, id);
        return writing;
      });
    // Who does not wait for it need not hear of it either.
    next.catch(() => undefined);
    return next;
  };
  const set = (values: Partial<JobInfo>): Promise<void> => {
    if (closed) return Promise.resolve();
    info = { ...info, ...values };
    return flush();
  };
  return {
    info: () => info,
    set,
    message: (text) => set({ messages: [...(info.messages ?? []), text] }),
    close: async () => {
      closed = true;
      await (next ?? writing).catch(() => undefined);
    },
  };
};
