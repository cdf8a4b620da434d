import { chmodSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { authorizePath, type PathGrants } from '@colophon/workflow';
import { describe, expect, test } from 'vitest';
import { makeFolder } from './support/folder.js';

const make = (): { folder: string; ask: (path: string, grants?: Partial<PathGrants>) => Promise<string> } => {
  const folder = makeFolder({
    'a/file': '',
    'a/deep/inner': '',
    'a-b/secret': '',
    'out/secret': '',
    'out/grant/x': '',
  });
  symlinkSync('../out', join(folder, 'a/to-out'));
  symlinkSync('deep', join(folder, 'a/to-deep'));
  symlinkSync(join(folder, 'a/deep'), join(folder, 'out/to-deep'));
  symlinkSync('nowhere', join(folder, 'a/dangling'));
  symlinkSync('../out/new', join(folder, 'a/dangling-out'));
  symlinkSync('circle', join(folder, 'a/circle'));
  symlinkSync('one', join(folder, 'a/two'));
  symlinkSync('two', join(folder, 'a/one'));
  symlinkSync('deep/..', join(folder, 'a/to-self'));
  symlinkSync('a', join(folder, 'root-link'));
  return {
    folder,
    ask: async (path, grants = {}) => {
      const place = path.replace('%', folder);
      const answer = await authorizePath(place, {
        root: join(folder, 'a'),
        base: join(folder, 'a'),
        mode: 'read',
        ...grants,
      });
      if (!answer.allowed) return answer.reason;
      return `${answer.grant} ${answer.path.replace(folder, '%')}${answer.exists ? '' : ' (new)'}`;
    },
  };
};

describe('inside the root', () => {
  test.each([
    ['%/a', 'root %/a'],
    ['%/a/', 'root %/a'],
    ['%/a/file', 'root %/a/file'],
    ['file', 'root %/a/file'],
    ['./deep/../file', 'root %/a/file'],
    ['%/a/new', 'root %/a/new (new)'],
    ['new/folder/file', 'root %/a/new/folder/file (new)'],
    ['to-deep/inner', 'root %/a/deep/inner'],
    ['to-deep/new', 'root %/a/deep/new (new)'],
    ['to-self/file', 'root %/a/file'],
    ['%/out/to-deep/inner', 'root %/a/deep/inner'],
    ['%/out/../a/file', 'root %/a/file'],
    ['..a', 'root %/a/..a (new)'],
    ['%//a///file', 'root %/a/file'],
  ])('%s is %s', async (path, expected) => {
    expect(await make().ask(path)).toBe(expected);
  });
});

describe('not inside', () => {
  test.each([
    ['%/a-b/secret', 'outside_grants'],
    ['%', 'outside_grants'],
    ['/', 'outside_grants'],
    ['../out/secret', 'outside_grants'],
    ['to-out/secret', 'outside_grants'],
    ['to-out/new', 'outside_grants'],
    ['to-deep/../../out/secret', 'outside_grants'],
    ['../../../../../../../../etc/passwd', 'outside_grants'],
    ['/etc/passwd', 'outside_grants'],
    ['dangling', 'unresolvable'],
    ['dangling/x', 'unresolvable'],
    ['dangling-out', 'unresolvable'],
    ['circle', 'unresolvable'],
    ['one/x', 'unresolvable'],
    ['new/..', 'unresolvable'],
    ['new/../file', 'unresolvable'],
    ['new/../../out/secret', 'unresolvable'],
    ['file/..', 'unresolvable'],
    ['file/../../out/secret', 'unresolvable'],
    ['file/x', 'unresolvable'],
    ['', 'unresolvable'],
    ['a\0b', 'unresolvable'],
    ['x'.repeat(300), 'unresolvable'],
  ])('%j is %s', async (path, expected) => {
    const { ask } = make();
    expect(await ask(path)).toBe(expected);
    expect(await ask(path, { mode: 'write' })).toBe(expected);
  });

  test('a relative path without base, or whose base is none', async () => {
    const { folder } = make();
    const grants = { root: join(folder, 'a'), mode: 'read' as const };
    for (const base of [{}, { base: 'a' }, { base: join(folder, 'a/file') }, { base: join(folder, 'none') }])
      expect(await authorizePath('file', { ...grants, ...base })).toEqual({ allowed: false, reason: 'unresolvable' });
  });

  test('what is behind a folder that can not be looked into', async () => {
    const { folder, ask } = make();
    mkdirSync(join(folder, 'a/closed/x'), { recursive: true });
    chmodSync(join(folder, 'a/closed'), 0o000);
    // The administrator may look everywhere.
    expect(await ask('closed/x')).toBe(process.getuid?.() === 0 ? 'root %/a/closed/x' : 'unresolvable');
    chmodSync(join(folder, 'a/closed'), 0o700);
  });
});

describe('grants', () => {
  test('to write are to read, too; those to read are not to write', async () => {
    const { folder, ask } = make();
    const grant = [join(folder, 'out/grant')];
    expect(await ask('%/out/grant/x', { writable: grant, mode: 'write' })).toBe('writable %/out/grant/x');
    expect(await ask('%/out/grant/x', { writable: grant })).toBe('writable %/out/grant/x');
    expect(await ask('%/out/grant/x', { readable: grant })).toBe('readable %/out/grant/x');
    expect(await ask('%/out/grant/x', { readable: grant, mode: 'write' })).toBe('outside_grants');
    expect(await ask('to-out/grant/x', { readable: grant })).toBe('readable %/out/grant/x');
    expect(await ask('%/out/grant-2', { readable: grant })).toBe('outside_grants');
  });

  test('may be a file, a link, relative, or not there yet', async () => {
    const { folder, ask } = make();
    expect(await ask('%/out/secret', { readable: [join(folder, 'out/secret')] })).toBe('readable %/out/secret');
    expect(await ask('%/out/secret', { readable: ['to-out'] })).toBe('readable %/out/secret');
    expect(await ask('%/out/new/x', { writable: ['../out/new'], mode: 'write' })).toBe('writable %/out/new/x (new)');
    expect(await ask('file', { root: join(folder, 'root-link') })).toBe('root %/a/file');
    expect(await authorizePath('/etc', { root: '/', mode: 'write' })).toMatchObject({ allowed: true, grant: 'root' });
  });

  test('that can not be resolved grant nothing', async () => {
    const { folder, ask } = make();
    for (const granted of ['dangling-out', 'circle', 'new/..', '', join(folder, 'a/file/..')])
      expect(await ask('%/out/new', { writable: [granted], mode: 'write' })).toBe('outside_grants');
    expect(await authorizePath(join(folder, 'a'), { mode: 'read' })).toMatchObject({ reason: 'outside_grants' });
  });
});
