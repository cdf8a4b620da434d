import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileChat } from '@colophon/chat-compile';
import { diskFiles, nodeContext } from '@colophon/chat-compile/node';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorOf, pairsOf } from './support/compile.js';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'disk-')));
let server: Server;
let address: string;

beforeAll(async () => {
  mkdirSync(join(root, 'kit'));
  writeFileSync(join(root, 'kit/a.txt'), 'äb');
  symlinkSync('kit/a.txt', join(root, 'link'));
  server = createServer((request, response) => {
    if (request.url === '/a.chat') response.end('user: from the web\nassistant: ä');
    else if (request.url === '/binary') response.end(new Uint8Array([0xff]));
    else if (request.url === '/endless') {
      const send = () => {
        while (!response.destroyed && response.write(new Uint8Array(1_000_000).fill(65)));
      };
      response.on('drain', send);
      send();
    } else if (request.url === '/slow') response.write('user: ');
    else response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(root, { recursive: true });
});

test('a disk', async () => {
  expect(await diskFiles.stat(join(root, 'link'))).toEqual({ kind: 'file', size: 3 });
  expect(await diskFiles.stat(join(root, 'kit'))).toMatchObject({ kind: 'directory' });
  expect(await diskFiles.stat('/dev/null')).toMatchObject({ kind: 'other' });
  for (const nothing of ['lost', 'kit/a.txt/b', 'x'.repeat(5000), 'a\0b']) {
    expect(await diskFiles.stat(join(root, nothing))).toBeUndefined();
  }
  expect(Array.from(await diskFiles.readBytes(join(root, 'link'), 2))).toEqual([0xc3, 0xa4]);
  expect(Array.from(await diskFiles.readBytes(join(root, 'link'), 100))).toHaveLength(3);
  expect(await diskFiles.list(join(root, 'kit'))).toEqual(['a.txt']);
  expect(await diskFiles.realPath?.(join(root, 'link'))).toBe(join(root, 'kit/a.txt'));
});

describe('a page', () => {
  const compile = (line: string, signal?: AbortSignal) =>
    compileChat(line, nodeContext({ workingDirectory: root, ...(signal ? { signal } : {}) }));

  test('is a chat', async () => {
    expect(pairsOf(await compile(`import: ${address}/a.chat`))).toEqual([
      ['user', 'from the web'],
      ['assistant', 'ä'],
    ]);
  });

  test.each([
    ['/lost', /the server answered 404 Not Found/],
    ['/binary', /not valid/],
    ['/endless', /more than 20000000 bytes/],
  ])('%s is an error', async (path, message) => {
    const error = await errorOf(compile(`import: ${address}${path}`));
    expect(error).toMatchObject({ code: 'import_fetch' });
    expect(error.message).toMatch(message);
  });

  test('that never ends is given up when the signal says so', async () => {
    const controller = new AbortController();
    const compiled = errorOf(compile(`import: ${address}/slow`, controller.signal));
    server.once('request', () => controller.abort(new Error('enough')));
    expect(await compiled).toMatchObject({ code: 'aborted', facts: { reason: 'enough' } });
  });
});

test('a context has what is passed in and nothing of the process', () => {
  expect(nodeContext({ workingDirectory: root, limits: { fileBytes: 5 } })).toEqual({
    workingDirectory: root,
    roots: [root],
    policy: 'run',
    files: diskFiles,
    config: [],
    grants: { writable: [], readable: [] },
    limits: { importDepth: 32, totalCharacters: 20_000_000, fileBytes: 5 },
  });
});
