import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ask, backends, defineBackend } from '@colophon/backends';
import { describe, expect, test } from 'vitest';
import { freshFolder, spy, testContext } from './helpers.js';

const source = (text: string, how = 'export const backend =') =>
  `${how} { name: 'mine', reply: () => ({ messages: [{ role: 'assistant', content: ${JSON.stringify(text)} }], calls: [] }) };\n`;

const chatThatNames = (backend: string) => [{ role: 'backend', content: backend }, 'go'];

test('an object, and a name in the table that was given', async () => {
  const { backend } = spy(() => 'by table');
  const table = { ...backends, mine: backend, lazy: async () => backend };
  expect((await ask('go', { backend })).text).toBe('by table');
  expect((await ask('go', { backend: 'mine', backends: table })).text).toBe('by table');
  expect((await ask(chatThatNames('lazy'), { backends: table })).text).toBe('by table');
});

describe('a file', () => {
  test('by its path, relative to the working directory, absolute, or as an address', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'mine.mjs'), source('by path'));
    writeFileSync(join(folder, 'other.mjs'), source('by default', 'export default'));
    const context = testContext(folder);
    const absolute = join(folder, 'mine.mjs');
    for (const name of ['./mine.mjs', absolute, pathToFileURL(absolute).href]) {
      expect((await ask('go', { backend: name, context })).text, name).toBe('by path');
    }
    expect((await ask('go', { backend: './other.mjs', context })).text).toBe('by default');
    await expect(ask('go', { backend: './mine.mjs' })).rejects.toMatchObject({ code: 'relative_path' });
  });

  test('that is missing, fails, or holds no backend says so', async () => {
    const folder = freshFolder();
    writeFileSync(join(folder, 'fails.mjs'), "throw new Error('at load')");
    writeFileSync(join(folder, 'none.mjs'), 'export const other = 1;');
    writeFileSync(join(folder, 'half.mjs'), "export const backend = { name: 'half', send: () => 1 };");
    const context = testContext(folder);
    const failure = (backend: string) => ask('go', { backend, context });
    await expect(failure('./missing.mjs')).rejects.toThrow("Backend `./missing.mjs` can't be loaded: ");
    await expect(failure('./fails.mjs')).rejects.toThrow('at load');
    await expect(failure('./none.mjs')).rejects.toThrow('exports neither `backend` nor a default that is one');
    await expect(failure('./half.mjs')).rejects.toThrow(
      'Backend half: `toRequest` and `fromReply` must be a function.',
    );
  });
});

describe('a package', () => {
  const install = (folder: string, name: string, manifest: object, files: Record<string, string>) => {
    const home = join(folder, 'node_modules', name);
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'package.json'), JSON.stringify({ name, type: 'module', ...manifest }));
    for (const [file, text] of Object.entries(files)) writeFileSync(join(home, file), text);
  };

  test('is found from the working directory upwards, by its exports or its main', async () => {
    const folder = freshFolder();
    const inner = join(folder, 'a', 'b');
    mkdirSync(inner, { recursive: true });
    install(folder, 'plain', { main: 'main.js' }, { 'main.js': source('main') });
    install(folder, 'bare', {}, { 'index.js': source('index') });
    install(folder, 'sugar', { exports: './x.js' }, { 'x.js': source('sugar') });
    install(
      folder,
      '@me/conditions',
      {
        exports: {
          '.': { require: './no.cjs', types: './x.d.ts', import: { node: './node.js' } },
          './sub': ['./sub.js'],
        },
      },
      { 'node.js': source('node'), 'sub.js': source('sub') },
    );
    const context = testContext(inner);
    const texts: Record<string, string> = {
      plain: 'main',
      bare: 'index',
      sugar: 'sugar',
      '@me/conditions': 'node',
      '@me/conditions/sub': 'sub',
    };
    for (const [backend, text] of Object.entries(texts))
      expect((await ask('go', { backend, context })).text, backend).toBe(text);
    await expect(ask('go', { backend: '@me/conditions/hidden', context })).rejects.toMatchObject({
      code: 'unknown_backend',
    });
  });

  test('an unknown name lists the known ones', async () => {
    const folder = freshFolder();
    const failure = ask('go', { backend: 'opnai', context: testContext(folder) });
    await expect(failure).rejects.toThrow(
      `There is no backend \`opnai\`. Known: ${Object.keys(backends)
        .map((name) => `\`${name}\``)
        .join(
          ', ',
        )}; no package of that name was found from ${folder}; a file is named with its path, as in ./mine.mjs.`,
    );
    for (const name of ['../x/../y', '@', 'a b', '__proto__', 'constructor']) {
      await expect(ask('go', { backend: name, context: testContext(folder) })).rejects.toMatchObject({
        name: 'ColophonError',
      });
    }
  });
});

test('code that a chat names is loaded under the policy run only; what the call names always', async () => {
  const folder = freshFolder();
  writeFileSync(join(folder, 'mine.mjs'), source('loaded'));
  mkdirSync(join(folder, 'etc', 'AI'), { recursive: true });
  writeFileSync(join(folder, 'etc', 'AI', 'cloned.yaml'), 'backend: ./mine.mjs');
  const context = testContext(folder);
  const careful = { ...context, policy: 'read' as const };
  expect((await ask(chatThatNames('./mine.mjs'), { context })).text).toBe('loaded');
  expect((await ask('go', { context, endpoint: 'cloned' })).text).toBe('loaded');
  await expect(ask(chatThatNames('./mine.mjs'), { context: careful })).rejects.toThrow(
    'the chat names the backend `./mine.mjs`, which is code, and under the policy `read` a file may name no code',
  );
  await expect(ask('go', { context: careful, endpoint: 'cloned' })).rejects.toMatchObject({
    code: 'backend_code_refused',
  });
  expect((await ask('go', { backend: './mine.mjs', context: careful })).text).toBe('loaded');
});

test('defineBackend names the part that is wrong', () => {
  const wrong: [unknown, string][] = [
    [undefined, 'expected an object'],
    [{ name: '1x', reply: () => 1 }, '`name` must be a string that begins with a letter'],
    [{ name: 'x' }, 'neither `reply` nor `toRequest`, `send` and `fromReply`'],
    [{ name: 'x', toRequest: () => 1, send: () => 1 }, '`fromReply` must be a function'],
    [{ name: 'x', toRequest: () => 1, send: () => 1, fromReply: () => 1 }, '`capabilities` is missing'],
    [{ name: 'x', reply: () => 1, parameters: 'temperature' }, '`parameters` must be a list of names'],
  ];
  for (const [backend, problem] of wrong) expect(() => defineBackend(backend as never)).toThrow(problem);
});
