import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compileChat } from '@colophon/chat-compile';
import { nodeContext } from '@colophon/chat-compile/node';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { contextOn, errorOf } from './support/compile.js';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'folder-')));
afterAll(() => rmSync(base, { recursive: true }));

let root: string;
let count = 0;
beforeEach(() => {
  root = join(base, String(count++));
  mkdirSync(root);
});

const write = (tree: Record<string, string | Uint8Array>) => {
  for (const [name, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
};

/** Names that a folder gives, with the role where it is not `user`. */
const names = async (line: string, log: (line: string) => void = () => {}) => {
  const chat = await compileChat(`directory: ${line}`, nodeContext({ workingDirectory: root, log }));
  return chat.map(({ role, content }) =>
    role === 'user' ? /^<file name="(.*)">/.exec(content)?.[1] : `${role} ${content}`,
  );
};

test('one message a file at any depth, sorted by path', async () => {
  write({ 'kit/b.txt': 'B', 'kit/a/z.txt': 'Z', 'kit/a.txt': 'A', 'kit/B.txt': 'b' });
  expect(await names('kit')).toEqual(['kit/B.txt', 'kit/a.txt', 'kit/a/z.txt', 'kit/b.txt']);
  expect(await names('./kit/')).toEqual(['./kit/B.txt', './kit/a.txt', './kit/a/z.txt', './kit/b.txt']);
  expect(await names(join(root, 'kit/a'))).toEqual([join(root, 'kit/a/z.txt')]);
});

describe('left out', () => {
  const binary = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0]);

  test('hidden files and folders, unless asked for', async () => {
    write({ 'kit/a': '', 'kit/.b': '', 'kit/.c/d': '' });
    expect(await names('kit')).toEqual(['kit/a']);
    expect(await names('kit hidden=true')).toEqual(['kit/.b', 'kit/.c/d', 'kit/a']);
  });

  test('binary files; images and documents become messages of their own where asked for', async () => {
    write({
      'kit/a': '',
      'kit/b.png': binary,
      'kit/c.PDF': binary,
      'kit/d.bin': binary,
      'kit/e': new Uint8Array([0xff]),
    });
    expect(await names('kit')).toEqual(['kit/a']);
    expect(await names('kit binary=true')).toEqual(['kit/a', `image ${root}/kit/b.png`, `pdf ${root}/kit/c.PDF`]);
  });

  test('large binary files, without reading them, while large text is an error', async () => {
    write({ 'kit/a': '', 'kit/film': new Uint8Array(6_000_000) });
    expect(await names('kit')).toEqual(['kit/a']);
    write({ 'kit/log': 'ä'.repeat(3_000_000) });
    expect(await errorOf(names('kit'))).toMatchObject({ code: 'too_large', facts: { path: join(root, 'kit/log') } });
  });

  test('what .gitignore files ignore, the nearest one first, unless asked for', async () => {
    write({
      'kit/.gitignore': '*.log\n/build\nnode_modules/\nData\n',
      'kit/a.log': '',
      'kit/build/x': '',
      'kit/sub/build/x': '',
      'kit/sub/.gitignore': '!keep.log\n',
      'kit/sub/keep.log': '',
      'kit/sub/other.log': '',
      'kit/sub/node_modules/m/x': '',
      'kit/data': '',
    });
    expect(await names('kit')).toEqual(['kit/data', 'kit/sub/build/x', 'kit/sub/keep.log']);
    expect(await names('kit ignored=true')).toHaveLength(7);
  });

  test('what .gitignore files above ignore, up to the repository, and .git itself', async () => {
    write({
      '.git/config': 'x',
      '.gitignore': '*.log\nkit/skip\nout/\n',
      'kit/a': '',
      'kit/b.log': '',
      'kit/skip': '',
      'kit/deep/c.log': '',
      'out/d': '',
    });
    expect(await names('kit')).toEqual(['kit/a']);
    expect(await names('kit/deep')).toEqual([]);
    expect(await names('. hidden=true')).toEqual(['./.gitignore', './kit/a']);
    expect(await names('. hidden=true ignored=true')).toContain('./.git/config');
  });

  test('rules that would take a power of the depth are not read', async () => {
    const deep = `${'a/'.repeat(60)}c`;
    write({
      'kit/.gitignore': `${'**/a/'.repeat(12)}b\n*.log\na/**/a/**/a/**/x\n`,
      [`kit/${deep}`]: '',
      'kit/e.log': '',
      'kit/a/y/a/a/x': '',
    });
    const log: string[] = [];
    expect(await names('kit', (line) => log.push(line))).toEqual([`kit/${deep}`]);
    expect(log).toEqual([`${join(root, 'kit/.gitignore')}: rules with more than three ** were not read: 1`]);
  });

  test('but a folder that is named although it is ignored is meant', async () => {
    write({ '.git/config': 'x', '.gitignore': 'out/\n*.log', 'out/d': '', 'out/e.log': '' });
    expect(await names('out')).toEqual(['out/d', 'out/e.log']);
  });

  test('links that lead out or round in circles; a link to a file inside is a file', async () => {
    write({ 'kit/a/x': 'X', 'secret/key': 'K', 'kit/y': 'Y' });
    symlinkSync('..', join(root, 'kit/a/up'));
    symlinkSync('.', join(root, 'kit/self'));
    symlinkSync('../secret', join(root, 'kit/secret'));
    symlinkSync('../secret/key', join(root, 'kit/key'));
    symlinkSync('nowhere', join(root, 'kit/dangling'));
    symlinkSync('loop', join(root, 'kit/loop'));
    symlinkSync('a/x', join(root, 'kit/x'));
    symlinkSync('kit', join(root, 'linked'));
    const log: string[] = [];
    expect(await names('kit', (line) => log.push(line))).toEqual(['kit/a/x', 'kit/x', 'kit/y']);
    expect(log).toHaveLength(4);
    expect(await names('linked')).toEqual(['linked/a/x', 'linked/x', 'linked/y']);
  });
});

test('a name may hold spaces, and what looks like a switch', async () => {
  write({ 'my kit/a': '', 'x=true/b': '' });
  expect(await names('my kit  hidden=true   binary=false')).toEqual(['my kit/a']);
  expect(await names('x=true')).toEqual(['x=true/b']);
});

test('a folder without text is nothing, and logged', async () => {
  mkdirSync(join(root, 'kit'));
  const log: string[] = [];
  expect(await names('kit', (line) => log.push(line))).toEqual([]);
  expect(log).toEqual([`${join(root, 'kit')} holds no text files`]);
});

describe('errors', () => {
  test.each([
    ['lost', 'not_found', /existing directory, got "lost"/],
    ['a.txt', 'wrong_kind', /got the file .*Write `file:`/],
    ['https://x.test/', 'remote_file', /address|path on this machine/],
    ['kit', 'not_text', /\.gitignore, which is not text/],
  ])('%s', async (line, code, message) => {
    write({ 'a.txt': '', 'kit/.gitignore': new Uint8Array([0xff]) });
    const error = await errorOf(names(line));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  test('a file in a folder that can not be looked at', async () => {
    const context = contextOn({ '/work/kit/a': '' });
    const { stat } = context.files;
    context.files.stat = (path) => (path === '/work/kit/a' ? Promise.reject(new Error('EACCES')) : stat(path));
    expect(await errorOf(compileChat('directory: kit', context))).toMatchObject({ code: 'unreadable' });
  });

  test('a folder that can not be listed', async () => {
    const context = contextOn({ '/work/kit/a': '' });
    context.files.list = async () => {
      throw new Error('EACCES');
    };
    expect(await errorOf(compileChat('directory: kit', context))).toMatchObject({
      code: 'unreadable',
      facts: { path: '/work/kit' },
    });
  });

  test('more text than the chat may take', async () => {
    const tree = { '/work/kit/a': 'x'.repeat(50), '/work/kit/b': 'x'.repeat(50) };
    const error = await errorOf(compileChat('directory: kit', contextOn(tree, { limits: { totalCharacters: 100 } })));
    expect(error.code).toBe('total_size');
  });

  test('an abort between two files', async () => {
    const controller = new AbortController();
    const context = contextOn({ '/work/kit/a': '', '/work/kit/b': '' }, { signal: controller.signal });
    const { stat } = context.files;
    context.files.stat = (path) => {
      if (path === '/work/kit/a') controller.abort();
      return stat(path);
    };
    expect((await errorOf(compileChat('directory: kit', context))).code).toBe('aborted');
  });
});
