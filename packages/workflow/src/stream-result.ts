import { type FileHandle, open, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { PlannedJob } from './plan.js';
import { restartedError } from './run-errors.js';
import { hasResult } from './store.js';
import { watchFolder } from './wait-for-change.js';
import { readPlanned, throwFailure } from './wait-for-end.js';

/** The file that the result stands in, or is being written to. */
const openResult = async (job: PlannedJob): Promise<FileHandle | undefined> => {
  const opened = await open(job.path).catch(() => undefined);
  if (opened) return opened;
  const { info } = await readPlanned(job);
  const growing = info['temporary_path'];
  const isOurs =
    typeof growing === 'string' &&
    dirname(growing) === dirname(job.path) &&
    basename(growing).startsWith(`.${basename(job.path)}.`);
  return isOurs ? open(growing).catch(() => undefined) : undefined;
};

/** The bytes of a job's result, as they grow where it is being written. Throws what made it fail, and `restarted`. */
export async function* streamResult(job: PlannedJob): AsyncGenerator<Uint8Array, void, undefined> {
  const changes = watchFolder(job.path);
  try {
    let file = await openResult(job);
    while (!file) {
      await throwFailure(job);
      await changes.next();
      file = await openResult(job);
    }
    try {
      const buffer = new Uint8Array(65_536);
      for (;;) {
        // A file that was renamed stays the same file: what is done is read to its end.
        const whole = await hasResult(job.path);
        const { bytesRead } = await file.read(buffer, 0, buffer.length);
        if (bytesRead > 0) yield buffer.slice(0, bytesRead);
        else if (whole) {
          if ((await file.stat()).ino === (await stat(job.path)).ino) return;
          throw restartedError(job.shortPath);
        } else {
          await throwFailure(job);
          await changes.next();
        }
      }
    } finally {
      await file.close();
    }
  } finally {
    changes.close();
  }
}
