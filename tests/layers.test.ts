import { describe, expect, test } from 'vitest';
import { layerProblems } from './checks/layer-rules.js';
import { type Manifest, type Package, readPackages } from './checks/workspace.js';

test('every package imports lower layers only, by name, and touches what it may', () => {
  expect(layerProblems(readPackages())).toEqual([]);
});

const packageWith = (name: string, text: string, manifest: Partial<Manifest> = {}, path = 'src/bad.ts'): Package => {
  const folder = `${name === 'colophon' ? 'apps' : 'packages'}/${name === 'colophon' ? 'cli' : name.replace('@colophon/', '')}`;
  const whole = { name, exports: { '.': './dist/index.js' }, ...manifest };
  return {
    folder,
    manifest: whole,
    manifestText: JSON.stringify(whole, null, 2),
    files: [{ path: `${folder}/${path}`, text }],
  };
};

const neighbours = [
  packageWith('@colophon/chat-format', '', { exports: { '.': './dist/index.js', './node': './dist/node/index.js' } }),
  packageWith('@colophon/tools', ''),
  packageWith('@colophon/backends', ''),
];

const all = { dependencies: { '@colophon/chat-format': 'workspace:*', zod: '4' } };

const problemsOf = (own: Package): string[] =>
  layerProblems([own, ...neighbours.filter(({ manifest }) => manifest.name !== own.manifest.name)]).filter((problem) =>
    problem.startsWith(own.folder),
  );

describe('a bad import is seen, with file and line:', () => {
  test.each([
    [
      'sideways',
      "\nimport { runCalls } from '@colophon/tools';",
      '@colophon/tools stands beside @colophon/chat-compile (both layer 1)',
    ],
    [
      'up',
      "\nimport { ask } from '@colophon/backends';",
      '@colophon/backends (layer 2) stands above @colophon/chat-compile (layer 1)',
    ],
    ['to a later package', "\nimport { a } from '@colophon/agent';", '@colophon/agent (layer 3) stands above'],
    ['to itself', "\nimport { a } from '@colophon/chat-compile';", 'imports its own files by relative paths'],
    ['to an unknown one of ours', "\nimport { a } from '@colophon/nowhere';", '@colophon/nowhere stands in no layer'],
    [
      'of an inner file',
      "\nimport { a } from '@colophon/chat-format/src/roles.js';",
      'is an inner file: @colophon/chat-format exports ., ./node',
    ],
    ['out of the package', "\nimport { a } from '../../tools/src/tool.js';", 'leaves the package'],
    ['by an absolute path', "\nimport { a } from '/srv/a.js';", 'is an absolute path'],
    ['undeclared', "\nimport yaml from 'yaml';", 'yaml is not among the dependencies'],
    ['of types', "\nimport type { Tool } from '@colophon/tools';", 'stands beside'],
    ['inside a type', "\nexport type T = import('@colophon/tools').Tool;", 'stands beside'],
    ['re-exported', "\nexport { runCalls } from '@colophon/tools';", 'stands beside'],
    ['re-exported whole', "\nexport * from '@colophon/tools';", 'stands beside'],
    ['dynamic', "\nconst load = () => import('@colophon/tools');", 'stands beside'],
    ['by require', "\nconst tools = require('@colophon/tools');", 'stands beside'],
    ['resolved', "\nconst place = import.meta.resolve('@colophon/tools');", 'stands beside'],
    ['for its effect', "\nimport '@colophon/tools';", 'stands beside'],
  ])('%s', (_, text, message) => {
    const problems = problemsOf(packageWith('@colophon/chat-compile', text, all));
    expect(problems[0]).toMatch(/^packages\/chat-compile\/src\/bad\.ts:2: /);
    expect(problems[0]).toContain(message);
  });
});

describe('a good import passes:', () => {
  test.each([
    ['down', "import { parseChat } from '@colophon/chat-format';"],
    ['down to a subpath', "import { loadChat } from '@colophon/chat-format/node';"],
    ['inside the package', "import { a } from './stages/imports.js';"],
    ['declared', "import { z } from 'zod';"],
    ['in a text', `const advice = "import { runCalls } from '@colophon/tools'"; // import '@colophon/tools'`],
  ])('%s', (_, text) => {
    expect(problemsOf(packageWith('@colophon/chat-compile', text, all))).toEqual([]);
  });

  test('the command line may bundle what it develops with', () => {
    const manifest = { devDependencies: { '@colophon/tools': 'workspace:*' } };
    expect(problemsOf(packageWith('colophon', "import { runCalls } from '@colophon/tools';", manifest))).toEqual([]);
  });
});

test('a package.json that depends sideways or up is seen, with its line', () => {
  const manifest = {
    dependencies: { '@colophon/tools': 'workspace:*' },
    devDependencies: { '@colophon/backends': 'workspace:*' },
  };
  expect(problemsOf(packageWith('@colophon/chat-compile', '', manifest))).toEqual([
    'packages/chat-compile/package.json:7: dependencies: @colophon/tools stands beside @colophon/chat-compile (both layer 1); take what is needed as a function in the context',
    'packages/chat-compile/package.json:10: devDependencies: @colophon/backends (layer 2) stands above @colophon/chat-compile (layer 1)',
  ]);
  expect(problemsOf(packageWith('@colophon/new', ''))[0]).toContain(
    'packages/new/package.json:1: @colophon/new stands in no layer',
  );
});

describe('what must be handed in is seen:', () => {
  const problemsIn = (path: string, text: string) =>
    problemsOf(packageWith('@colophon/backends', `\n${text}`, all, path));
  const seen = (path: string) => [
    expect.stringMatching(new RegExp(`^packages/backends/${path}:2: reads .*comes through a context`)),
  ];

  test.each([
    'const home = process.env.HOME;',
    "const home = process['env']['HOME'];",
    'const { env } = process;',
    "import { env } from 'node:process';",
    'const all = globalThis.process.env;',
    'const here = process.cwd();',
    "import { homedir } from 'node:os';",
  ])('%s, also in src/node/', (text) => {
    expect(problemsIn('src/bad.ts', text)).toEqual(seen('src/bad.ts'));
    expect(problemsIn('src/node/bad.ts', text)).toEqual(seen('src/node/bad.ts'));
  });

  test.each([
    'const seed = Math.random();',
    'const { random } = Math;',
    'const at = Date.now();',
    'const at = new Date();',
    'const at = new Date;',
    'const at = Date();',
    'const at = performance.now();',
    'const id = crypto.randomUUID();',
    "import { randomUUID as fresh } from 'crypto';",
  ])('%s, but not in src/node/', (text) => {
    expect(problemsIn('src/bad.ts', text)).toEqual(seen('src/bad.ts'));
    expect(problemsIn('src/node/good.ts', text)).toEqual([]);
  });

  test.each([
    'const at = new Date(context.now());',
    'const year = new Date(2031, 3).getFullYear();',
    "import { createHash } from 'node:crypto';",
    'const { env } = context.process;',
    'type Environment = typeof process.env;',
    'const largest = Math.max(1, 2);',
  ])('%s passes', (text) => {
    expect(problemsOf(packageWith('@colophon/backends', text, all))).toEqual([]);
  });

  test('from layer 3 on it may be read', () => {
    expect(problemsOf(packageWith('colophon', 'const home = process.env.HOME;'))).toEqual([]);
  });
});

describe('a package that knows no machine', () => {
  test.each([
    "import { readFile } from 'node:fs/promises';",
    "import type { Stats } from 'fs';",
    'const bytes = Buffer.from(text);',
    'const id = process.pid;',
  ])('with %s is seen', (text) => {
    const problems = problemsOf(packageWith('@colophon/chat-format', `\n${text}`));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^packages\/chat-format\/src\/bad\.ts:2: .*knows no machine: only src\/node\/ may$/);
    expect(problemsOf(packageWith('@colophon/chat-format', text, {}, 'src/node/good.ts'))).toEqual([]);
  });

  test('may have a property of such a name', () => {
    expect(
      problemsOf(packageWith('@colophon/chat-format', 'const { process: run } = options; const name = a.Buffer;')),
    ).toEqual([]);
  });
});
