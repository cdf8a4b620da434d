import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { diskFiles } from '@colophon/chat-compile/node';
import type { AskContext, Root } from '../context.js';

/** Values from which a context of this machine is made; nothing is read from the process. */
export type NodeContextOptions = Partial<Omit<AskContext, 'roots'>> & {
  home?: string;
  /** Searched first; the user's own. Default: `COLOPHON_ROOT` of the environment. */
  root?: string;
  /** Replaces the roots that follow from `root`, `workingDirectory` and `home`. */
  roots?: readonly Root[];
};

const run = promisify(execFile);

// No shell history, no terminal: the key is what the command prints.
const runCommand = async (command: string, signal?: AbortSignal): Promise<string> => {
  const running = run('/bin/sh', ['-c', command], {
    timeout: 30_000,
    maxBuffer: 1_000_000,
    ...(signal ? { signal } : {}),
  });
  // A command that reads finds nothing, instead of waiting for it.
  running.child.stdin?.end();
  return (await running).stdout;
};

const rootsOf = ({ root, environment = {}, workingDirectory, home }: NodeContextOptions): Root[] => {
  const first = root ?? environment['COLOPHON_ROOT'];
  const own = home === undefined ? [] : ['.colophon', '.scout', '.rbbt'].map((name) => join(home, name));
  const found: Root[] = [
    ...(first ? [{ path: resolve(workingDirectory ?? '/', first), trusted: true }] : []),
    ...(workingDirectory === undefined
      ? []
      : [{ path: resolve(workingDirectory), trusted: own.includes(resolve(workingDirectory)) }]),
    ...own.map((path) => ({ path, trusted: true })),
  ];
  return found.filter(({ path }, index) => found.findIndex((other) => other.path === path) === index);
};

/**
 * A context on this machine's disk, clock and processes: `nodeContext({environment: process.env, workingDirectory: process.cwd(),
 * home: homedir()})`. Roots: `root` or `COLOPHON_ROOT`, the working directory (which may have been cloned, so that keys in it do not
 * count), `~/.colophon`, `~/.scout`, `~/.rbbt`. Answers are kept in `~/.colophon/var/cache/ask` where there is a home.
 */
export const nodeContext = (options: NodeContextOptions = {}): AskContext => {
  const { home, root: _root, roots = rootsOf(options), ...rest } = options;
  const cache = home === undefined ? {} : { cache: { folder: join(home, '.colophon', 'var', 'cache', 'ask') } };
  const compile = home === undefined ? {} : { compile: { home } };
  return {
    environment: {},
    files: diskFiles,
    now: () => new Date(),
    randomId: randomUUID,
    runCommand,
    ...cache,
    ...compile,
    ...rest,
    roots,
  };
};
