import { findFile } from '@colophon/chat-compile';
import { describe, expect, test } from 'vitest';
import { contextOn, errorOf } from './support/compile.js';

const message = { role: 'file', content: 'x', at: { file: '/work/lib/a.chat', line: 1 } };
const order = ['/work/lib/x', '/work/lib/chats/x', '/work/x', '/one/chats/x', '/two/chats/x'];
const places = [...order, ...order.map((place) => `${place}.chat`)];
const roots = ['/one', '/two'];

test('the order of places', async () => {
  for (const [index, expected] of places.entries()) {
    const tree = Object.fromEntries(places.slice(index).map((place) => [place, '']));
    expect(await findFile('x', contextOn(tree, { roots }), { message })).toBe(expected);
  }
  const error = await errorOf(findFile('x', contextOn({}, { roots }), { message }));
  expect(error).toMatchObject({ code: 'not_found', facts: { name: 'x', places } });
  expect(error.message).toContain(`Looked at: ${places.join(', ')}.`);
});

test('the context says where the chat is, if the message does not', async () => {
  const tree = { '/there/x': '', '/work/x': '' };
  expect(await findFile('x', contextOn(tree, { origin: '/there/main.chat' }))).toBe('/there/x');
  expect(await findFile('x', contextOn(tree, { origin: 'https://x.test/there/main.chat' }))).toBe('/work/x');
  expect(await findFile('../there/x', contextOn(tree))).toBe('/there/x');
  const relative = { ...message, at: { file: 'lib/a.chat', line: 1 } };
  expect(await findFile('x', contextOn({ '/work/lib/x': '', '/work/x': '' }), { message: relative })).toBe(
    '/work/lib/x',
  );
});

describe('an absolute path is itself', () => {
  test('and nothing else', async () => {
    const tree = { '/work/x': '', '/work/etc/x': '', '/etc/x.chat': '' };
    expect(await findFile('/work/../work//./x', contextOn(tree))).toBe('/work/x');
    expect((await errorOf(findFile('/etc/x', contextOn(tree)))).facts['places']).toEqual(['/etc/x']);
  });

  test('below the home folder, where there is one', async () => {
    const tree = { '/home/me/x': 'a', '/work/~/x': 'b' };
    expect(await findFile('~/x', contextOn(tree, { home: '/home/me' }))).toBe('/home/me/x');
    expect(await findFile('~/x', contextOn(tree))).toBe('/work/~/x');
  });

  test('on Windows', async () => {
    const context = contextOn(
      { 'C:/here/chats/x.chat': '', 'C:/there/x': '' },
      { workingDirectory: 'C:\\here', roots: ['C:\\here'] },
    );
    expect(await findFile('x', context)).toBe('C:/here/chats/x.chat');
    expect(await findFile('C:\\there\\x', context)).toBe('C:/there/x');
  });
});

test('what can not be looked at is told where nothing else is found', async () => {
  const context = contextOn({ '/work/b.txt': '' }, { roots: ['/closed'] });
  const { stat } = context.files;
  context.files.stat = (path) =>
    path.startsWith('/closed') ? Promise.reject(new Error('EACCES: permission denied')) : stat(path);
  expect(await findFile('b.txt', context)).toBe('/work/b.txt');
  for (const name of ['a.txt', '/closed/a.txt']) {
    const error = await errorOf(findFile(name, context));
    expect(error).toMatchObject({ code: 'not_found', facts: { cause: expect.any(Error) } });
    expect(error.message).toContain(`got "${name}", which can't be reached: EACCES: permission denied. Looked at: /`);
  }
});

test('a folder is not taken for a file, nor a file for a folder', async () => {
  const context = contextOn({ '/work/x/y': '', '/work/x.chat': '' });
  expect(await findFile('x', context)).toBe('/work/x.chat');
  expect(await findFile('x', context, { kind: 'directory' })).toBe('/work/x');
  const folder = await errorOf(findFile('x', contextOn({ '/work/x/y': '' }), { message }));
  expect(folder).toMatchObject({ code: 'wrong_kind', facts: { path: '/work/x' } });
  expect(folder.message).toContain('Write `directory:`');
  const file = await errorOf(
    findFile('x', contextOn({ '/work/x': '' }), { message: { ...message, role: 'directory' }, kind: 'directory' }),
  );
  expect(file.message).toContain('Write `file:`');
});
