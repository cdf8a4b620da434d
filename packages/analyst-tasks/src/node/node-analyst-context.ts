import { realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { findFile } from '@colophon/chat-compile';
import { nodeContext } from '@colophon/chat-compile/node';
import { nodeReader } from '@colophon/provenance/node';
import { readJob } from '@colophon/workflow';
import { chatExtras } from '../chat-extras.js';
import type { AnalystContext } from '../task.js';
import { diskFiles } from './disk-files.js';

/** Where an analyst looks on this machine. */
export type NodeAnalystOptions = {
  workingDirectory: string;
  /** Search roots, absolute, in order: chats in `<root>/chats`, jobs in `<root>/var/jobs`. */
  roots?: readonly string[];
  home?: string;
  /** Folder in which facts are kept between runs; without it nothing is ever written. */
  index?: string;
  now?: () => Date;
  signal?: AbortSignal;
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

/** Paths of sessions are real ones: so is that of the home folder, or none of them would be below it. */
const realHome = (home: string | undefined): string | undefined => {
  try {
    return home && realpathSync(home);
  } catch {
    return home;
  }
};

/** The context of analyst tasks on this machine. Make one for each run: it keeps the facts that it has read. */
export const nodeAnalystContext = ({
  workingDirectory,
  roots = [],
  home: named,
  index,
  now = () => new Date(),
  signal,
}: NodeAnalystOptions): AnalystContext => {
  const home = realHome(named);
  const places = { workingDirectory, ...(home === undefined ? {} : { home }) };
  const jobRoots = [...roots, ...(home === undefined ? [] : [`${home}/.scout`, `${home}/.rbbt`])];
  const compile = nodeContext({ ...places, roots: [...roots] });
  return {
    ...places,
    reader: nodeReader({ ...places, roots, index, extract: { name: 'analyst 2', from: chatExtras } }),
    roots,
    now,
    files: diskFiles,
    findChat: (reference, from) => findFile(reference, { ...compile, origin: from }).catch(() => undefined),
    readJob: (path) =>
      readJob(path, { roots: jobRoots.map((root) => `${root}/var/jobs`), host: hostname(), isAlive, now }),
    ...(signal ? { signal } : {}),
  };
};
