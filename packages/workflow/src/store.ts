import { mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { printInfo } from './info.js';
import type { JobInfo } from './job.js';
import { filesPath, infoPath, temporaryPath } from './job-paths.js';

/** Whether there is a result: a job with one is done. */
export const hasResult = (path: string): Promise<boolean> =>
  stat(path).then(
    (facts) => facts.isFile(),
    () => false,
  );

/** Tells one result of a job from the next one; undefined where there is none. */
export const resultMark = (path: string): Promise<string | undefined> =>
  stat(path).then(
    (facts) => (facts.isFile() ? `${facts.ino} ${facts.mtimeMs}` : undefined),
    () => undefined,
  );

/** Makes the folder of a job; most of the time it is there. */
export const makeFolder = async (path: string): Promise<void> => {
  await mkdir(dirname(path), { recursive: true });
};

/** Moves a file that was written whole to its place; on one disk that is done at once or not at all. */
export const moveIntoPlace = (temporary: string, path: string): Promise<void> => rename(temporary, path);

/** Writes a file so that nobody ever sees a part of it. `id` tells it from what others write at the same time. */
const writeWhole = async (path: string, content: string | Uint8Array, id: string): Promise<void> => {
  const temporary = temporaryPath(path, id);
  try {
    await writeFile(temporary, content);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
};

/** Writes a job's `.info`. */
export const writeInfo = (path: string, info: JobInfo, id: string): Promise<void> =>
  writeWhole(infoPath(path), printInfo(info), id);

/** Removes the result, `.info` and `.files/` of a job; the result first, since it is what makes it done. */
export const removeJob = async (path: string): Promise<void> => {
  await rm(path, { force: true });
  await rm(filesPath(path), { recursive: true, force: true });
  await rm(infoPath(path), { force: true });
};
