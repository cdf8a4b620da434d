import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { callOne, everything, faultyCommand, left, marker, openClients, stdioTools } from './servers.js';

const holder = fileURLToPath(new URL('hold-server.ts', import.meta.url));

const goneAfterAWhile = async (word: string): Promise<string[]> => {
  for (let waited = 0; left(word).length > 0 && waited < 10_000; waited += 50) await wait(50);
  return left(word);
};

test('a server named twice, in parallel and in two ways, is one process', async () => {
  const word = marker();
  const command = faultyCommand('plain', word);
  const clients = openClients({ settings: (server) => (server.kind === 'named' ? { command } : undefined) });
  const lists = await Promise.all([
    clients.tools({ kind: 'stdio', command }),
    clients.tools({ kind: 'stdio', command }),
    clients.tools({ kind: 'named', name: 'forge' }),
  ]);
  const pids = await Promise.all(lists.map((list) => callOne(list, 'pid')));
  expect(new Set(pids.map(({ content }) => content)).size).toBe(1);
  expect(left(word)).toHaveLength(1);
});

describe('at the end no process is left:', () => {
  test.each([
    ['one that ends with its input', 'plain', 1],
    ['one that heeds neither the end of its input nor SIGTERM', 'stubborn', 1],
    ['one that never answered', 'silent', 1],
  ])('%s', async (_, mode, count) => {
    const word = marker();
    const clients = openClients({ grace: 100 });
    const listed = clients.tools({ kind: 'stdio', command: faultyCommand(mode, word) }).catch((error) => error);
    if (mode !== 'silent') await listed;
    for (let waited = 0; left(word).length < count && waited < 5_000; waited += 20) await wait(20);
    expect(left(word)).toHaveLength(count);
    await clients.close();
    expect(left(word)).toEqual([]);
    if (mode === 'silent') expect(await listed).toMatchObject({ code: 'mcp_closed' });
  });

  test('what a server started, though that heeds no SIGTERM', async () => {
    const word = marker();
    const { list, close } = await stdioTools(faultyCommand('plain', word), { grace: 100 });
    await callOne(list, 'grandchild');
    expect(left(word)).toHaveLength(2);
    await close();
    expect(left(word)).toEqual([]);
  });

  test('while calls run, which are told', async () => {
    const word = marker();
    const { list, close } = await stdioTools(faultyCommand('plain', word));
    const running = callOne(list, 'hang');
    await wait(50);
    await close();
    expect((await running)['error']).toBe('error');
    expect(left(word)).toEqual([]);
    expect(await callOne(list, 'echo', { message: 'x' })).toMatchObject({
      error: 'error',
      content: expect.stringContaining('are closed'),
    });
    expect(left(word)).toEqual([]);
  });

  test('after the signal of the run, and tools of closed clients are an error', async () => {
    const word = marker();
    const controller = new AbortController();
    const clients = openClients({ signal: controller.signal });
    const listed = clients.tools({ kind: 'stdio', command: faultyCommand('silent', word) }).catch((error) => error);
    await wait(100);
    controller.abort(new DOMException('enough', 'AbortError'));
    expect(await listed).toMatchObject({ name: 'AbortError' });
    expect(await goneAfterAWhile(word)).toEqual([]);
    await clients.close();
    await clients.close();
    await expect(clients.tools({ kind: 'stdio', command: faultyCommand() })).rejects.toMatchObject({
      code: 'mcp_closed',
    });
  });
});

describe('when the program is ended without closing', () => {
  const hold = async (ending: string, command: string[], word: string) => {
    const child = spawn(process.execPath, ['--import', 'tsx', '-C', 'colophon-source', holder, ending, ...command], {
      cwd: fileURLToPath(new URL('../..', import.meta.url)),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
    await new Promise<void>((resolve, reject) => {
      child.stdout.on('data', (chunk) => String(chunk).includes('open') && resolve());
      let told = '';
      child.stderr.on('data', (chunk) => {
        told += chunk;
      });
      child.once('exit', (code) => reject(new Error(`ended too early: ${code} ${told}`)));
    });
    expect(left(word).filter((line) => !line.includes('hold-server'))).not.toEqual([]);
    return { child, ended };
  };

  test.each([
    ['SIGINT', 'wait', 'SIGINT'],
    ['SIGKILL', 'wait', 'SIGKILL'],
    ['an error that nobody catches', 'throw', undefined],
    ['process.exit', 'exit', undefined],
  ] as const)('by %s, its servers end', async (_, ending, signal) => {
    const word = marker();
    const { child, ended } = await hold(ending, [process.execPath, everything, 'stdio', word], word);
    if (signal) child.kill(signal);
    await ended;
    expect(await goneAfterAWhile(word)).toEqual([]);
  });

  test('by an error, also a server that does not look at its input', async () => {
    const word = marker();
    const { ended } = await hold('throw', faultyCommand('silent-later', word), word);
    await ended;
    expect(await goneAfterAWhile(word)).toEqual([]);
  });
});
