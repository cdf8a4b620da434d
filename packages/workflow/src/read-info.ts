import { readFile, stat } from 'node:fs/promises';
import { parseInfo } from './info.js';
import type { JobInfo, JobWarning } from './job.js';
import { infoPath } from './job-paths.js';

/** What a call of the system failed with. */
export type Missing = { code: string };

/** Its code, as a value. */
export const codeOf = (error: unknown): Missing => ({ code: (error as NodeJS.ErrnoException).code ?? String(error) });

/** Whether it says that there is nothing. */
export const isMissing = ({ code }: Missing): boolean => code === 'ENOENT' || code === 'ENOTDIR';

/** The `.info` of a job as it stands, with what is wrong with it; `broken` where it is there and says nothing. */
export const readInfo = async (path: string): Promise<{ info: JobInfo; warnings: JobWarning[]; broken: boolean }> => {
  const address = infoPath(path);
  const unreadable = (why: string) => ({
    info: {},
    warnings: [{ code: 'info_unreadable', message: `It can't be read: ${why}.`, address }],
    broken: true,
  });
  const facts = await stat(address).catch(codeOf);
  if ('code' in facts) return isMissing(facts) ? { info: {}, warnings: [], broken: false } : unreadable(facts.code);
  // A pipe would be waited for.
  if (!facts.isFile()) return unreadable('it is no file');
  const bytes = await readFile(address).catch(codeOf);
  return 'code' in bytes ? unreadable(bytes.code) : parseInfo(bytes, address);
};
