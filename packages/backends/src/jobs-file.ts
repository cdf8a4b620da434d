import { rm } from 'node:fs/promises';
import { writeAtomically } from '@colophon/chat-format/node';
import { inboxPaths } from '@colophon/prompt-strategies';

/** Says that a call waits for a job; what it returns says that the job ended. Fits `onWait` of `workflowTools`. */
export type WaitForJob = (
  job: { shortPath: string },
  call: { chatFile?: unknown; [key: string]: unknown },
) => Promise<() => Promise<void>>;

/**
 * Keeps `x.jobs` beside a chat's file `x.chat` while its tools wait for jobs: their short paths, one a line, of those that have not
 * ended; with the last one the file goes. Where it can't be written nothing else fails.
 */
export const createJobsFiles = (): { waitForJob: WaitForJob } => {
  const waiting = new Map<string, string[]>();
  let last: Promise<unknown> = Promise.resolve();
  const store = (path: string): Promise<unknown> => {
    last = last.then(async () => {
      const jobs = waiting.get(path) ?? [];
      const lines = [...new Set(jobs)].map((job) => `${job}\n`).join('');
      await (lines === '' ? rm(path, { force: true }) : writeAtomically(path, lines)).catch(() => undefined);
    });
    return last;
  };
  const waitForJob: WaitForJob = async ({ shortPath }, { chatFile }) => {
    if (typeof chatFile !== 'string') return async () => {};
    const path = inboxPaths(chatFile).jobs;
    waiting.set(path, [...(waiting.get(path) ?? []), shortPath]);
    await store(path);
    return async () => {
      const jobs = [...(waiting.get(path) ?? [])];
      jobs.splice(jobs.indexOf(shortPath), 1);
      if (jobs.length > 0) waiting.set(path, jobs);
      else waiting.delete(path);
      await store(path);
    };
  };
  return { waitForJob };
};
