import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
    } else if (request.url === '/login') response.end(`user: ${request.headers.authorization}`);
    else if (request.url === '/slow') response.write('user: ');
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

  test('behind a login is asked for with it; no error shows it', async () => {
    const login = address.replace('//', '//ann:se%20cret@');
    expect(pairsOf(await compile(`import: ${login}/login`))).toEqual([['user', 'Basic YW5uOnNlIGNyZXQ=']]);
    for (const wrong of [
      `${login}/lost`,
      'http://ann:se%20cret@x.test:99999/?key=se%20cret',
      'http://a b/?se%20cret',
    ]) {
      const error = await errorOf(compile(`import: ${wrong}`));
      expect(error).toMatchObject({ code: 'import_fetch' });
      expect(`${error.message} ${JSON.stringify(error.facts)} ${error.cause}`).not.toContain('se%20cret');
    }
  });

  test('that is not reached says why', async () => {
    const error = await errorOf(compile('import: http://127.0.0.1:1/a.chat'));
    expect(error.message).toMatch(/fetch failed: .*(ECONNREFUSED|bad port)/);
  });

  test('that never ends is given up when the signal says so', async () => {
    const controller = new AbortController();
    const compiled = errorOf(compile(`import: ${address}/slow`, controller.signal));
    server.once('request', () => controller.abort(new Error('enough')));
    expect(await compiled).toMatchObject({ code: 'aborted', facts: { reason: 'enough' } });
  });
});

describe('links', () => {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const context = () => nodeContext({ workingDirectory: root });

  test.each(['self.chat', 'up/self.chat', 'up/up/self.chat'])(
    'a chat that imports itself as %s is a cycle',
    async (name) => {
      write('cycle/main.chat', `import: ${name}`);
      rmSync(join(root, 'cycle/up'), { force: true });
      rmSync(join(root, 'cycle/self.chat'), { force: true });
      symlinkSync('.', join(root, 'cycle/up'));
      symlinkSync('main.chat', join(root, 'cycle/self.chat'));
      const error = await errorOf(compileChat({ file: 'cycle/main.chat' }, context()));
      expect(error).toMatchObject({ code: 'import_cycle', facts: { chain: `cycle/main.chat:1 → cycle/${name}` } });
    },
  );

  test('that double at each level cost one compilation a file', async () => {
    for (let level = 0; level < 24; level++) {
      write(`double/${level}/x.chat`, 'last: left/x.chat\nlast: right/x.chat');
      for (const side of ['left', 'right']) symlinkSync(`../${level + 1}`, join(root, `double/${level}/${side}`));
    }
    write('double/24/x.chat', 'user: leaf');
    let reads = 0;
    const readBytes = (path: string, length?: number) => diskFiles.readBytes(path, length).finally(() => reads++);
    const files = { ...diskFiles, readBytes };
    const chat = await compileChat({ file: 'double/0/x.chat' }, nodeContext({ workingDirectory: root, files }));
    expect(chat.map(({ content }) => content)).toEqual(['leaf', 'leaf']);
    expect(reads).toBe(25);
  });

  test('one chat that is linked into two folders takes what it names from each', async () => {
    write('shared.chat', 'import: name.chat');
    for (const name of ['ann', 'ben']) {
      write(`${name}/name.chat`, `user: ${name}`);
      symlinkSync('../shared.chat', join(root, `${name}/hello.chat`));
    }
    expect(pairsOf(await compileChat('import: ann/hello\nimport: ben/hello', context()))).toEqual([
      ['user', 'ann'],
      ['user', 'ben'],
    ]);
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
