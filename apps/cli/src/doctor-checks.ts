import { accessSync, constants, existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listEndpoints } from '@colophon/backends';
import { askContext } from './ask-context.js';
import type { MachineContext } from './context.js';
import { environmentBackends } from './environment-backends.js';
import { findLocks } from './find-locks.js';
import { shownPath } from './shown-path.js';

/** One thing that was looked at. `action`: what to do, where something must be done. */
export type Finding = { about: string; state: 'good' | 'note' | 'bad'; said: string; action?: string };

const leastNode = [20, 19] as const;

const checkNode = (): Finding => {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const good = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1]);
  const said = `Node ${process.versions.node}`;
  return good
    ? { about: 'node', state: 'good', said }
    : { about: 'node', state: 'bad', said, action: `install Node ${leastNode.join('.')} or newer` };
};

const isWritable = (path: string): boolean => {
  const place = existsSync(path) ? path : dirname(path);
  try {
    accessSync(place, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

const checkRoots = (context: MachineContext): Finding[] =>
  context.roots.flatMap(({ path, origin, writable }): Finding[] => {
    const there = existsSync(path);
    if (!there && !writable) return [];
    const about = `root ${origin}`;
    if (!writable) return [{ about, state: 'good', said: path }];
    if (isWritable(path)) return [{ about, state: 'good', said: there ? path : `${path} (made when it is needed)` }];
    const needed = path === context.userRoot;
    return [
      {
        about,
        state: needed ? 'bad' : 'note',
        said: `${path} may not be written`,
        ...(needed ? { action: `make it writable, or set HOME or COLOPHON_ROOT` } : {}),
      },
    ];
  });

const checkEndpoints = async (context: MachineContext): Promise<Finding[]> => {
  const endpoints = await listEndpoints(askContext(context));
  const named = (await environmentBackends(context)).filter(({ names }) => names.length > 0);
  const findings = endpoints.map(({ name, file, problem, ignored }): Finding => {
    const about = `endpoint ${name}`;
    if (problem !== undefined)
      return { about, state: 'bad', said: problem, action: `mend ${shownPath(file, context)}` };
    if (ignored.length > 0)
      return {
        about,
        state: 'note',
        said: `${ignored.join(', ')} in ${shownPath(file, context)} not counted: not below your own root`,
      };
    return { about, state: 'good', said: shownPath(file, context) };
  });
  const keys = named.map(
    ({ backend, names }): Finding => ({ about: `backend ${backend}`, state: 'good', said: `${names.join(', ')} set` }),
  );
  const none: Finding = {
    about: 'keys',
    state: 'note',
    said: 'no endpoint and no key: set OPENAI_API_KEY or ANTHROPIC_API_KEY, run Ollama, or try `colophon demo`',
  };
  return endpoints.length + named.length === 0 ? [none] : [...findings, ...keys];
};

/** The packages that are loaded when they are used, by what they are for. */
const lazy: readonly (readonly [name: string, load: () => Promise<unknown>])[] = [
  ['@hpcc-js/wasm-graphviz', () => import('@hpcc-js/wasm-graphviz')],
  ['@resvg/resvg-js', () => import('@resvg/resvg-js')],
  ['openai', () => import('openai')],
  ['@anthropic-ai/sdk', () => import('@anthropic-ai/sdk')],
  ['ollama', () => import('ollama')],
  ['gpt-tokenizer', () => import('gpt-tokenizer/encoding/o200k_base')],
  ['jiti', () => import('jiti')],
  ['libsql', () => import('libsql')],
];

const checkPackages = (): Promise<Finding[]> =>
  Promise.all(
    lazy.map(async ([name, load]): Promise<Finding> => {
      try {
        await load();
        return { about: `package ${name}`, state: 'good', said: 'loads' };
      } catch (error) {
        const said = `does not load (${(error as Error).message.split('\n')[0]})`;
        return { about: `package ${name}`, state: 'bad', said, action: 'install colophon again' };
      }
    }),
  );

const checkLocks = ({ roots, now }: MachineContext, context: MachineContext): Finding[] => {
  const folders = roots.flatMap(({ path }) => [path, join(path, 'chats')]);
  return folders
    .flatMap((folder) => findLocks(folder, now()))
    .map(({ path, stale, said }): Finding => {
      const about = `lock ${shownPath(path, context)}`;
      return stale
        ? { about, state: 'bad', said: `${said}, and that is gone`, action: `remove ${path}` }
        : { about, state: 'note', said };
    });
};

/** Looks at everything that a run depends on. */
export const doctorChecks = async (context: MachineContext): Promise<Finding[]> => [
  checkNode(),
  ...checkRoots(context),
  ...(await checkEndpoints(context)),
  ...(await checkPackages()),
  ...checkLocks(context, context),
];
