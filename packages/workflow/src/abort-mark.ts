import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { JobInfo } from './job.js';

/** Which run of a job: its process and when it began, as its `.info` has them. */
type Run = Pick<JobInfo, 'pid' | 'pid_hostname' | 'start'>;

const markPath = (path: string): string => join(dirname(path), `.${basename(path)}.abort`);

// Each running job looks for its mark; short jobs have ended before they look.
const lookEvery = 250;

const print = ({ pid, pid_hostname: host, start }: Run): string => `${host}\n${pid}\n${start}\n`;

/**
 * Leaves a mark that makes one run of a job stop, in whatever process it runs. No process is signalled, as its id may be another's by now,
 * and as other jobs may run there; a mark that comes late stops no later run.
 */
export const markAborted = (path: string, run: Run, reason: string): Promise<void> =>
  writeFile(markPath(path), print(run) + reason);

/** Takes a mark away. */
export const clearMark = (path: string): Promise<void> => rm(markPath(path), { force: true }).catch(() => undefined);

/** Calls `onMark` once the mark of a run is there. `close` ends the looking. A mark for an earlier run is removed. */
export const followMark = (path: string, run: Run, onMark: (reason: string) => void): { close: () => void } => {
  const timer = setInterval(() => {
    readFile(markPath(path), 'utf8').then(
      (text) => {
        if (text.startsWith(print(run))) onMark(text.slice(print(run).length));
        else return clearMark(path);
      },
      () => undefined,
    );
  }, lookEvery);
  return { close: () => clearInterval(timer) };
};
