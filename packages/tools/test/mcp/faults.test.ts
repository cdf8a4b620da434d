import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseChat } from '@colophon/chat-format';
import { runCalls, takeTools } from '@colophon/tools';
import { afterAll, describe, expect, test } from 'vitest';
import { envelope, now } from '../run.js';
import { callOne, faultyCommand, left, marker, openClients, stdioTools } from './servers.js';

const folder = mkdtempSync(join(tmpdir(), 'mcp-faults-'));
afterAll(() => rmSync(folder, { recursive: true }));

const faultyTools = (mode?: string, note?: string, options = {}) => stdioTools(faultyCommand(mode, note), options);
const exceptionOf = (output: Record<string, unknown>): string => JSON.parse(String(output['content'])).exception;

const refused = marker();

describe('a server that can not be used is an error that says why, with the place of its line:', () => {
  const take = (line: string, options = {}) =>
    takeTools(parseChat(`user: hi\n\n${line}\n`, { file: 'main.chat' }), { mcp: openClients(options).tools });

  test.each([
    [
      'no such program',
      'mcp: stdio "no-such-program-here --port 1"',
      /the command `no-such-program-here` was not found/,
    ],
    ['no program', `mcp: stdio "${folder}"`, /no program that may be run/],
    [
      'one that ends at once',
      `mcp: stdio "${faultyCommand('exit-at-start', refused).join(' ')}"`,
      /exit code 7; it wrote: no licence for you/,
    ],
    [
      'one that says nothing',
      `mcp: stdio "${faultyCommand('silent', refused).join(' ')}"`,
      /it did not answer within 0\.5 s/,
    ],
    ['one that can not list', `mcp: stdio "${faultyCommand('tools-error', refused).join(' ')}"`, /the list is lost/],
    ['one that is not configured', 'mcp: atlas', /no MCP server `atlas`; it has: `forge`, `mill`/],
  ])('%s', async (_, line, problem) => {
    const error = await take(line, { connectTimeout: 500, names: ['forge', 'mill'] }).catch((error) => error);
    expect(error).toMatchObject({ name: 'ColophonError', message: expect.stringMatching(problem) });
    expect(error.facts.at).toMatchObject({ file: 'main.chat', line: 3 });
    expect(left(refused)).toEqual([]);
  });

  test.each([
    ['neither place', {}, 'neither a `url` nor a `command`'],
    ['two places', { url: 'http://a.example', command: 'b' }, 'take one of them out'],
    ['an address that is none', { url: 'ftp://a.example' }, 'begins with http://'],
    ['a password in its address', { url: 'http://me:tulip-key@a.example' }, 'give a `key` or `headers`'],
    ['an open quote', { command: 'serve "x' }, 'opened and not closed'],
    ['an empty command', { command: [] }, 'begins with the program'],
    ['a header that can not be sent', { url: 'http://a.example', headers: { 'X-A': 'tulip\nkey' } }, 'header `X-A`'],
    ['a time limit of 0', { command: 'a', timeout: 0 }, 'above 0'],
    ['tools that are no list', { command: 'a', tools: 'b' }, 'list of names'],
    ['an environment of numbers', { command: 'a', env: { A: 1 } }, '`env` must be names with texts'],
  ])('settings with %s', async (_, settings, problem) => {
    const clients = openClients({ settings: () => settings as never });
    const error = await clients.tools({ kind: 'named', name: 'forge' }).catch((error) => error);
    expect(error).toMatchObject({ code: 'bad_mcp_server', message: expect.stringContaining(problem) });
    expect(error.message).toContain('`forge`');
    expect(error.message).not.toContain('tulip');
  });
});

describe('a call fails, the model sees why, and the server goes on:', () => {
  test.each([
    ['an error of the tool', 'fail', 'The oven is off.'],
    ['an error of the protocol', 'throw', 'failed: broken, key none.'],
    ['a result that is none', 'invalid', 'the answer is no message of the protocol'],
  ])('%s', async (_, name, problem) => {
    const { list } = await faultyTools();
    const output = await callOne(list, name);
    expect(output['error']).toBe('error');
    expect(exceptionOf(output)).toContain(problem);
    expect((await callOne(list, 'echo', { message: 'on' }))['content']).toBe('on');
  });

  test('a hang, at its time limit', async () => {
    const note = join(folder, 'cancelled.txt');
    const { list } = await faultyTools('plain', note);
    expect((await callOne(list, 'hang', {}, { timeLimit: 100 }))['error']).toBe('timeout');
    expect((await callOne(list, 'echo', { message: 'on' }))['content']).toBe('on');
    // The server was told.
    expect(readFileSync(note, 'utf8')).toContain('TimeoutError');
  });

  test('an abort, which the server is told of', async () => {
    const note = join(folder, 'aborted.txt');
    const { list } = await faultyTools('plain', note);
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('the user went home')), 50);
    const output = await callOne(list, 'hang', {}, { signal: controller.signal });
    expect(output['error']).toBe('aborted');
    await callOne(list, 'echo', { message: 'on' });
    expect(readFileSync(note, 'utf8')).toContain('the user went home');
  });

  test('the time limit of its settings beats that of the run', async () => {
    const clients = openClients({ settings: () => ({ command: faultyCommand(), timeout: 80 }) });
    const list = await clients.tools({ kind: 'named', name: 'slow' });
    expect((await callOne(list, 'hang', {}, { timeLimit: 60_000 }))['error']).toBe('timeout');
  });
});

describe('a server that ends in the middle of a call', () => {
  test.each([
    ['by itself', 'die', 'its process ended (exit code 3)'],
    ['by a signal', 'kill', 'its process ended (signal SIGKILL)'],
    ['by closing its output', 'close-output', 'the connection ended before the answer was there'],
  ])('%s fails the calls that run, and the next call opens it again', async (_, name, problem) => {
    const word = marker();
    const { list } = await faultyTools('plain', word);
    const first = await callOne(list, 'pid');
    const { outputs } = await runCalls(
      ['hang', name].map((tool, index) => ({ id: `${index}`, name: tool, arguments: {} })),
      list,
      { now },
    );
    for (const output of outputs.map(envelope)) {
      expect(output['error']).toBe('error');
      expect(exceptionOf(output)).toContain(problem);
    }
    // Calls in parallel open it once.
    const pids = await Promise.all([1, 2, 3].map(() => callOne(list, 'pid')));
    expect(new Set(pids.map(({ content }) => content)).size).toBe(1);
    expect(pids[0]!['content']).not.toBe(first['content']);
    expect(left(word)).toHaveLength(1);
  });

  test('right after its answer is heard to the last word', async () => {
    for (let time = 0; time < 3; time++) {
      const { list } = await faultyTools();
      expect((await callOne(list, 'answer-and-die'))['content']).toBe('last words');
    }
  });

  test('again and again is opened again three times, and then said to be gone', async () => {
    const word = marker();
    const { list } = await faultyTools('plain', word);
    for (let time = 0; time < 4; time++) expect(exceptionOf(await callOne(list, 'die'))).toContain('exit code 3');
    expect(exceptionOf(await callOne(list, 'echo'))).toContain('it ended 4 times and is not opened again');
    expect(left(word)).toEqual([]);
  });

  test('and leaves a process that holds its output is seen to have ended, and that process is ended too', async () => {
    const word = marker();
    const { list } = await faultyTools('leaves-grandchild', word);
    expect(left(word)).toHaveLength(2);
    expect(exceptionOf(await callOne(list, 'die'))).toContain('exit code 3');
    for (let waited = 0; left(word).length > 0 && waited < 5_000; waited += 50) await wait(50);
    expect(left(word)).toEqual([]);
  });
});

describe('a server that writes', () => {
  test('rubbish among its messages is understood all the same', async () => {
    const { list, warnings } = await faultyTools('noisy-start');
    const output = await callOne(list, 'garbage');
    expect(output['content']).toBe('after the garbage');
    expect(warnings.join('\n')).toContain('Welcome to the server!');
    for (let time = 0; time < 30; time++) await callOne(list, 'garbage');
    expect(warnings).toHaveLength(20);
  });

  test('20 MB of errors is not held up by that', async () => {
    const { list, errorLines } = await faultyTools();
    expect((await callOne(list, 'flood'))['content']).toBe('after the flood');
    expect(errorLines).toHaveLength(0);
  });

  test('a result of 30 MB is read', async () => {
    const { list } = await faultyTools();
    const length = 30_000_000;
    const output = await callOne(list, 'huge', { length }, { maxContentLength: length });
    expect(String(output['content']).length).toBe(length);
  });

  test('requests of its own is told that we do not know them, and that we are there', async () => {
    const { list } = await faultyTools();
    expect((await callOne(list, 'ask'))['content']).toBe('[-32601,-32601,-32601,{}]');
  });

  test('progress is heard to the last, and what is for nobody harms nothing', async () => {
    const { list } = await faultyTools();
    const progress: unknown[] = [];
    const output = await callOne(list, 'progress', {}, { onProgress: (told) => progress.push(told) });
    expect(output['content']).toBe('done');
    expect(progress).toEqual([1, 2].map((done) => ({ message: `step ${done}`, done, total: 2 })));
  });
});

describe('listeners that throw', () => {
  test('do not end anything', async () => {
    const angry = () => {
      throw new Error('angry');
    };
    const { list } = await faultyTools('noisy-start', undefined, { onWarning: angry, onStderr: angry });
    expect((await callOne(list, 'flood'))['content']).toBe('after the flood');
  });
});
