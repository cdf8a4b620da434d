import { realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { usageError } from './errors.js';
import type { Output, Outputs } from './output.js';

/** Environment variables, as a value. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A folder that is searched for chats, endpoints and configuration; `origin` says why it is one. `trusted`: the person named it
 * or it is their own, so that keys and programs named in it count; the working folder may have been copied from anywhere.
 */
export type Root = { path: string; writable: boolean; trusted: boolean; origin: string };

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/** The machine as the commands see it, built once for a run: nothing else reads the environment, the clock or chance. */
export type MachineContext = {
  environment: Environment;
  workingDirectory: string;
  home: string;
  /** Search roots in order. */
  roots: Root[];
  /** `~/.colophon`: where settings of this person are kept. May not exist yet. */
  userRoot: string;
  /** Given by `--endpoint`, `--model`, `--backend`. */
  asked: { endpoint?: string; model?: string; backend?: string };
  verbose: boolean;
  /** How this program is called from a shell here: by its name where that leads to it, else through Node. */
  program: string;
  /** Folder of the files that come with the program. */
  assets: string;
  now: () => Date;
  randomId: () => string;
  /** Aborted by the first Ctrl-C, or another signal that asks to end; `exitCode` of its reason is the one to end with. */
  signal: AbortSignal;
  stdin: NodeJS.ReadStream;
  stdout: Output;
  stderr: Output;
  /** Tells a line on standard error, if the level asked for includes it. */
  log: (level: LogLevel, line: string) => void;
};

/** What `createContext` takes from the command line. */
export type ContextOptions = {
  root?: string | undefined;
  endpoint?: string | undefined;
  model?: string | undefined;
  backend?: string | undefined;
  'log-level'?: string | undefined;
  verbose?: boolean | undefined;
};

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;

const findRoots = (
  named: string | undefined,
  environment: Environment,
  workingDirectory: string,
  home: string,
): Root[] => {
  const first = named ?? environment['COLOPHON_ROOT'];
  const origin = named === undefined ? 'COLOPHON_ROOT' : '--root';
  if (first && !isFolder(resolve(workingDirectory, first))) throw usageError(`${origin} ${first}: no such folder`);
  const roots: Root[] = [
    ...(first ? [{ path: resolve(workingDirectory, first), writable: true, trusted: true, origin }] : []),
    { path: workingDirectory, writable: true, trusted: false, origin: 'working folder' },
    { path: join(home, '.colophon'), writable: true, trusted: true, origin: 'yours' },
    { path: join(home, '.scout'), writable: false, trusted: true, origin: 'read only' },
    { path: join(home, '.rbbt'), writable: false, trusted: true, origin: 'read only' },
  ];
  return roots.filter(({ path }, index) => roots.findIndex((other) => other.path === path) === index);
};

const realPath = (path: string): string | undefined => {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
};

const programName = (environment: Environment, workingDirectory: string): string => {
  if (environment['npm_command'] === 'exec') return 'npx colophon';
  const bin = realPath(process.argv[1] ?? '');
  const found = (environment['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => realPath(join(folder, 'colophon')))
    .find((path) => path !== undefined);
  if (bin === undefined || found === bin) return 'colophon';
  const shown = relative(workingDirectory, bin);
  return `node ${shown.startsWith('..') ? bin : shown}`;
};

/** Signals that stop a run, with the exit code of each: Ctrl-C, being asked to end, a terminal that is closed. */
const stopSignals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Builds the context of this process, and lets Ctrl-C abort it: once to stop at the next safe point, twice to end at once. */
export const createContext = (options: ContextOptions, { stdout, stderr }: Outputs): MachineContext => {
  const environment: Environment = process.env;
  const workingDirectory = process.cwd();
  const home = environment['HOME'] || homedir();
  const interrupt = new AbortController();
  for (const [name, exitCode] of Object.entries(stopSignals)) {
    process.on(name, () => {
      if (interrupt.signal.aborted) process.exit(exitCode);
      interrupt.abort(Object.assign(new Error('interrupted'), { exitCode }));
    });
  }
  const asked = { endpoint: options.endpoint, model: options.model, backend: options.backend };
  const threshold = logLevels.indexOf((options['log-level'] as LogLevel | undefined) ?? 'info');
  return {
    environment,
    workingDirectory,
    home,
    roots: findRoots(options.root, environment, workingDirectory, home),
    userRoot: join(home, '.colophon'),
    asked: Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)),
    verbose: options.verbose === true,
    program: programName(environment, workingDirectory),
    assets: fileURLToPath(new URL('../assets', import.meta.url)),
    now: () => new Date(),
    randomId: () => crypto.randomUUID(),
    signal: interrupt.signal,
    stdin: process.stdin,
    stdout,
    stderr,
    log: (level, line) => {
      if (logLevels.indexOf(level) >= threshold) stderr.line(line);
    },
  };
};
