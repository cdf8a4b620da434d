import type { JobInfo } from './job.js';
import { writeInfo } from './store.js';

// Lines of a log are written this many milliseconds apart at least: each write is one of all lines so far.
const pause = 100;

/** The `.info` of a running job: one state, written through, one write after the other. */
export type JobLog = {
  info: () => JobInfo;
  /** Sets keys, and writes. What is asked for while a write is on its way goes with the next one. */
  set: (values: Partial<JobInfo>) => Promise<void>;
  /** Adds a line, which is written at once where none was just before, else soon, with those that come meanwhile. */
  message: (text: string) => Promise<void>;
  /** Ends it, what is on its way written: what a task that was given up still says is left out. */
  close: () => Promise<void>;
};

/** Keeps the `.info` of a job. `id` tells its temporary files from those of others. */
export const keepLog = (path: string, start: JobInfo, id: string): JobLog => {
  let info = start;
  let writing: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isDue = false;
  let closed = false;
  const flush = (): Promise<void> => {
    isDue = false;
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
  const rest = (): void => {
    timer = setTimeout(() => {
      timer = undefined;
      if (!isDue || closed) return;
      flush();
      rest();
    }, pause);
  };
  const set = (values: Partial<JobInfo>): Promise<void> => {
    if (closed) return Promise.resolve();
    info = { ...info, ...values, ...(values.messages ? { messages: [...values.messages] } : {}) };
    return flush();
  };
  const message = (text: string): Promise<void> => {
    if (closed) return Promise.resolve();
    if (Array.isArray(info.messages)) info.messages.push(text);
    else info = { ...info, messages: [text] };
    if (timer === undefined) {
      rest();
      return flush();
    }
    isDue = true;
    return Promise.resolve();
  };
  return {
    info: () => info,
    set,
    message,
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await (next ?? writing).catch(() => undefined);
    },
  };
};
