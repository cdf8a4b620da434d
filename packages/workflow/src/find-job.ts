import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import { infoPath, splitJobPath } from './job-paths.js';

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (facts) => facts.isFile(),
    () => false,
  );

const isJob = async (path: string): Promise<boolean> => (await isFile(path)) || isFile(infoPath(path));

/** `var/jobs` folders beside a file and above it, nearest first: a tree that was moved as a whole finds its own jobs. */
const nearJobs = (referrer: string): string[] => {
  const folders = [splitJobPath(referrer).jobs];
  for (let folder = dirname(referrer); ; folder = dirname(folder)) {
    folders.push(join(folder, 'var/jobs'));
    if (folder === dirname(folder)) return folders;
  }
};

/** The last three parts of a reference, which name a job wherever it is; undefined where they can't. */
const shortOf = (reference: string): string | undefined => {
  const parts = reference.split('/').filter((part) => part !== '' && part !== '.');
  const last = parts.slice(-3);
  return last.length === 3 && !last.includes('..') ? last.join('/') : undefined;
};

/**
 * The absolute path of a job's result that a reference names: an absolute path as given, where its result or `.info` is there;
 * else the last three parts of the reference below each root (a `var/jobs` folder, or one that holds `var/jobs`), then below the
 * jobs folder of the absolute path `referrer` and the `var/jobs` folders around it. Undefined where there is no such job.
 * Nothing is read.
 */
export const findJob = async (
  reference: string,
  { roots, referrer }: { roots: readonly string[]; referrer?: string },
): Promise<string | undefined> => {
  if (reference.includes('\0')) return undefined;
  if (isAbsolute(reference) && (await isJob(normalize(reference)))) return normalize(reference);
  const short = shortOf(reference);
  if (short === undefined) return undefined;
  const folders = [
    ...roots.flatMap((root) => [root, join(root, 'var/jobs')]),
    ...(referrer === undefined ? [] : nearJobs(referrer)),
  ];
  for (const folder of new Set(folders)) {
    const path = join(folder, short);
    if (await isJob(path)) return path;
  }
  return undefined;
};
