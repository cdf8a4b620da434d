import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pairToolCalls, parseChat } from '@colophon/chat-format';
import { checkRegistry, runCalls, takeTools } from '@colophon/tools';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { now } from '../run.js';
import { callOne, everything, filesystem, left, marker, openClients, stdioTools } from './servers.js';

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mcp-files-')));
writeFileSync(join(folder, 'plum.txt'), 'A plum weighs 38 g.\n');
afterAll(() => rmSync(folder, { recursive: true }));

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

const startHttp = async (mode: string): Promise<{ child: ChildProcess; port: number }> => {
  const port = await freePort();
  const child = spawn(process.execPath, [everything, mode], { env: { ...process.env, PORT: String(port) } });
  started.push(child);
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended: ${code}`)));
    child.stderr.on('data', (chunk) => /port/i.test(String(chunk)) && resolve());
  });
  child.stdout.resume();
  return { child, port };
};

test('a chat declares the tools of a server that is a process; its calls are answered, and at the end nothing is left', async () => {
  const word = marker();
  const clients = openClients();
  const declared = `mcp: stdio "node ${everything} stdio ${word}" echo get-sum

mcp: stdio "node ${filesystem} ${folder}" read_text_file list_directory

user: What is in the folder?
`;
  const { chat, tools } = await takeTools(parseChat(declared, { file: 'main.chat' }), { mcp: clients.tools });
  expect(chat.map(({ role }) => role)).toEqual(['user']);
  expect(tools.map(({ name }) => name)).toEqual(['echo', 'get-sum', 'read_text_file', 'list_directory']);
  expect(tools[0]!.origin).toMatch(/^main\.chat:1 mcp: stdio/);
  expect(left(word)).toHaveLength(1);
  const { calls, outputs } = await runCalls(
    [
      { id: '1', name: 'echo', arguments: { message: 'hello' } },
      { id: '2', name: 'get-sum', arguments: '{"a":2,"b":3}' },
      { id: '3', name: 'get-sum', arguments: { a: 'two' } },
      { id: '4', name: 'read_text_file', arguments: { path: join(folder, 'plum.txt') } },
      { id: '5', name: 'list_directory', arguments: { path: folder } },
      { id: '6', name: 'read_text_file', arguments: { path: '/etc/passwd' } },
    ],
    tools,
    { now },
  );
  const pairs = pairToolCalls([...calls, ...outputs]);
  expect(pairs.map(({ output }) => output)).toEqual([
    'Echo: hello',
    'The sum of 2 and 3 is 5.',
    expect.stringContaining('a: expected number, received string'),
    // Its structured content repeats the text under a name.
    expect.stringContaining('A plum weighs 38 g.'),
    expect.stringContaining('plum.txt'),
    expect.stringContaining('Access denied'),
  ]);
  expect(pairs.map(({ envelope }) => envelope?.error)).toEqual([
    undefined,
    undefined,
    'invalid_arguments',
    undefined,
    undefined,
    'error',
  ]);
  await clients.close();
  expect(left(word)).toEqual([]);
  expect(left(folder)).toEqual([]);
});

test('all tools of both servers stand in a registry, with their annotations', async () => {
  const clients = openClients();
  const first = await clients.tools({ kind: 'stdio', command: [process.execPath, everything] });
  const second = await clients.tools({ kind: 'stdio', command: [process.execPath, filesystem, folder] });
  checkRegistry([...first, ...second]);
  expect(first).toHaveLength(12);
  expect(second).toHaveLength(14);
  expect(second.find(({ name }) => name === 'read_text_file')).toMatchObject({ readOnly: true });
  expect(second.find(({ name }) => name === 'write_file')).toMatchObject({ readOnly: false, destructive: true });
  expect(clients.warnings).toEqual([expect.stringContaining('simulate-research-query` runs as a task')]);
});

test('a folder is written to through the filesystem server', async () => {
  const { list } = await stdioTools([process.execPath, filesystem, folder]);
  const path = join(folder, 'pear.txt');
  const output = await callOne(list, 'write_file', { path, content: 'ünï 😀\n' });
  expect(output['error']).toBeUndefined();
  expect(readFileSync(path, 'utf8')).toBe('ünï 😀\n');
});

describe('results of every kind', async () => {
  const kinds = async (name: string, parameters: object) => {
    const { list } = await stdioTools([process.execPath, everything]);
    return JSON.parse(String((await callOne(list, name, parameters))['content']));
  };

  test('structured content, said once', async () => {
    expect(await kinds('get-structured-content', { location: 'Chicago' })).toEqual({
      conditions: expect.any(String),
      humidity: expect.any(Number),
      temperature: expect.any(Number),
    });
  });

  test('an image between texts', async () => {
    expect(await kinds('get-tiny-image', {})).toEqual([
      { type: 'text', text: expect.any(String) },
      { type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBOR/) },
      { type: 'text', text: expect.any(String) },
    ]);
  });

  test('links, and a resource that stands in the result', async () => {
    expect((await kinds('get-resource-links', { count: 1 }))[1]).toMatchObject({ type: 'resource_link' });
    const reference = await kinds('get-resource-reference', { resourceType: 'Text', resourceId: 1 });
    expect(reference).toContainEqual(expect.objectContaining({ type: 'resource' }));
  });
});

test('progress is told, and a call that takes too long is stopped', async () => {
  const { list } = await stdioTools([process.execPath, everything]);
  const progress: unknown[] = [];
  const long = await callOne(
    list,
    'trigger-long-running-operation',
    { duration: 0.3, steps: 3 },
    { onProgress: (told) => progress.push(told) },
  );
  expect(long['content']).toContain('completed');
  expect(progress).toEqual([1, 2, 3].map((done) => ({ message: '', done, total: 3 })));
  const cut = await callOne(list, 'trigger-long-running-operation', { duration: 60, steps: 1 }, { timeLimit: 200 });
  expect(cut['error']).toBe('timeout');
  expect((await callOne(list, 'echo', { message: 'still here' }))['content']).toBe('Echo: still here');
});

describe.each([
  ['streamableHttp', '/mcp'],
  ['sse', '/sse'],
])('over HTTP, mode %s', (mode, path) => {
  let server: Awaited<ReturnType<typeof startHttp>>;
  beforeAll(async () => {
    server = await startHttp(mode);
  });
  const address = () => `http://127.0.0.1:${server.port}${path}`;

  test('a chat declares the tools; calls run in parallel, with progress', async () => {
    const clients = openClients();
    const { tools } = await takeTools(parseChat(`mcp: ${address()}\n`), { mcp: clients.tools });
    expect(tools).toHaveLength(12);
    const progress: unknown[] = [];
    const { outputs } = await runCalls(
      [
        { id: '0', name: 'trigger-long-running-operation', arguments: { duration: 0.3, steps: 2 } },
        ...[1, 2, 3].map((number) => ({ id: `${number}`, name: 'echo', arguments: { message: `m${number} 😀` } })),
      ],
      tools,
      { now, onProgress: ({ done }) => progress.push(done) },
    );
    expect(outputs.map(({ content }) => JSON.parse(content).content)).toEqual([
      expect.stringContaining('completed'),
      'Echo: m1 😀',
      'Echo: m2 😀',
      'Echo: m3 😀',
    ]);
    expect(progress).toEqual([1, 2]);
  });

  test('a server that is killed in the middle of a call fails the call, and the next ones', async () => {
    const clients = openClients();
    const own = await startHttp(mode);
    const tools = await clients.tools({ kind: 'http', url: `http://127.0.0.1:${own.port}${path}` });
    const output = await callOne(
      tools,
      'trigger-long-running-operation',
      { duration: 100, steps: 100 },
      { onProgress: () => own.child.kill('SIGKILL') },
    );
    expect(output).toMatchObject({ error: 'error', content: expect.stringContaining('failed') });
    expect(await callOne(tools, 'echo', { message: 'x' })).toMatchObject({
      error: 'error',
      content: expect.stringContaining('fetch failed: '),
    });
  });
});
