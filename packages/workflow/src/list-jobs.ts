import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobRecord } from './job.js';
import { type ReadJobOptions, readJob } from './read-job.js';

const byName = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

type Entry = { name: string; isFolder: boolean; isLink: boolean };

const leadsToFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );

/** What stands in a folder, sorted; a link to a folder is one, as it is for who looks for a job by its path. */
const list = async (folder: string): Promise<Entry[]> => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const seen: Entry[] = [];
  for (const entry of entries) {
    const { name } = entry;
    if (name.startsWith('.')) continue;
    const isLink = entry.isSymbolicLink();
    seen.push({ name, isLink, isFolder: isLink ? await leadsToFolder(join(folder, name)) : entry.isDirectory() });
  }
  return seen.sort((a, b) => byName(a.name, b.name));
};

/**
 * Paths of the jobs in a folder, sorted; folders that are no artifacts hold jobs whose name had a slash. Links to folders are left out
 * here, since they may lead back.
 */
const jobsIn = async (folder: string, level = 0): Promise<string[]> => {
  const entries = await list(folder);
  const infos = new Set(
    entries.filter(({ name, isFolder }) => !isFolder && name.endsWith('.info')).map(({ name }) => name.slice(0, -5)),
  );
  const names = new Set(infos);
  const inner: string[] = [];
  for (const { name, isFolder, isLink } of entries) {
    if (name.endsWith('.files') || name.endsWith('.lock') || name.endsWith('.info')) continue;
    if (!isFolder) names.add(name);
    else if (!isLink && !infos.has(name) && level < 8) inner.push(...(await jobsIn(join(folder, name), level + 1)));
  }
  return [...[...names].map((name) => join(folder, name)), ...inner].sort(byName);
};

const chosen = (names: Entry[], wanted: string | undefined): string[] =>
  names.filter(({ name, isFolder }) => isFolder && (wanted === undefined || wanted === name)).map(({ name }) => name);

const readAhead = 16;

/**
 * The jobs below `var/jobs` folders, one root after another, each sorted by workflow, task and name, read as they are asked for:
 * at most the names of one task and sixteen records are held. A root that is not there has none. `options` are those of
 * `readJob`, whose `roots` are these where it names none.
 */
export async function* listJobs(
  roots: readonly string[],
  { workflow, task, ...options }: { workflow?: string; task?: string } & ReadJobOptions = {},
): AsyncGenerator<JobRecord> {
  const settings = { roots, ...options };
  for (const root of new Set(roots))
    for (const owner of chosen(await list(root), workflow))
      for (const name of chosen(await list(join(root, owner)), task)) {
        const paths = await jobsIn(join(root, owner, name));
        for (let start = 0; start < paths.length; start += readAhead)
          yield* await Promise.all(paths.slice(start, start + readAhead).map((path) => readJob(path, settings)));
      }
}
