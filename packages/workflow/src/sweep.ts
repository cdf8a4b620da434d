import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { parseInfo } from './info.js';
import { infoPath } from './job-paths.js';
import { type Hold, type LockHost, takeLock } from './lock.js';

const ended = new Set<string | undefined>(['done', 'error', 'aborted', 'cleaned', 'queued', 'waiting']);

/** Whether the `.info` of a job says that a run began, and not that it ended. Where there is none, the cost is one look. */
const wasBroken = async (path: string): Promise<boolean> => {
  const text = await readFile(infoPath(path)).catch(() => undefined);
  if (!text) return false;
  const { info, broken } = parseInfo(text);
  return broken || !ended.has(info.status);
};

/** Removes temporary files that runs of a job left behind; whoever calls it holds its lock. Cost: the names of its folder. */
export const sweepTemporary = async (path: string): Promise<void> => {
  const folder = dirname(path);
  const own = `.${basename(path)}.`;
  const names = (await readdir(folder).catch(() => [])).filter(
    (name) => name.startsWith(own) && /^(?:info\.)?[\w-]+\.tmp$/.test(name.slice(own.length)),
  );
  for (const name of names) await rm(join(folder, name), { force: true }).catch(() => undefined);
};

/** Takes the lock of a job, as `takeLock` does, and removes what a run left that did not end. */
export const takeSwept = async (path: string, host: LockHost): Promise<Hold | undefined> => {
  const hold = await takeLock(path, host);
  if (hold && (hold.inherited || (await wasBroken(path)))) await sweepTemporary(path);
  return hold;
};
