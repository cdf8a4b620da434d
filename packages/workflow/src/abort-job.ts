import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const markPath = (path: string): string => join(dirname(path), `.${basename(path)}.abort`);

// Each running job looks for its mark; short jobs have ended before they look.
const lookEvery = 250;

/** Leaves a mark that makes the run of a job stop, in whatever process it runs. */
export const markAborted = (path: string, reason: string): Promise<void> => writeFile(markPath(path), reason);

/** Takes a mark away. */
export const clearMark = (path: string): Promise<void> => rm(markPath(path), { force: true }).catch(() => undefined);

/** Aborts a controller once the mark of a job is there. `close` ends the looking. */
export const followMark = (path: string, controller: AbortController): { close: () => void } => {
  const timer = setInterval(() => {
    readFile(markPath(path), 'utf8').then(
      (reason) => controller.abort(new Error(reason)),
      () => undefined,
    );
  }, lookEvery);
  return { close: () => clearInterval(timer) };
};
