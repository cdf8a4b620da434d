import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createJob, infoPath, type Job, lockPath, lockStale, produce } from '@colophon/workflow';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { times } from './scale.js';
import { oddContext } from './workflow/odd.js';

const child = fileURLToPath(new URL('workflow/run-one.ts', import.meta.url));
const threads = fileURLToPath(new URL('workflow/two-threads.ts', import.meta.url));
let folder: string;
let root: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workflow-jobs-'));
});
beforeEach(async () => {
  root = await mkdtemp(join(folder, 'root-'));
});
afterAll(() => rm(folder, { recursive: true }));

const jobOf = (name: string, where = root): Promise<Job> => createJob('Odd', name, {}, { context: oddContext(where) });

const start = (words: string[], script = child) => {
  const runner = spawn(process.execPath, ['--import', 'tsx', '-C', 'colophon-source', script, root, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(runner, 'exit');
  const said = text(runner.stdout);
  return { runner, end: async () => ({ code: (await exit)[0], said: await said }) };
};

const runs = async (word: string): Promise<number> =>
  (await readFile(join(root, 'log'), 'utf8').catch(() => '')).split('\n').filter((line) => line === word).length;

const until = async (holds: () => Promise<unknown>): Promise<void> => {
  while (!(await holds())) await wait(20);
};

const namesOf = async (job: Job): Promise<string[]> => (await readdir(join(job.path, '..'))).sort();

describe('a task goes wrong: a clear error, and other jobs are not concerned', () => {
  test.each([
    ['throws', { message: 'this went wrong', name: 'Error' }],
    ['hangs', { code: 'timeout', message: expect.stringContaining('longer than 200 ms') }],
    ['escapes', { code: 'outside_files', message: expect.stringContaining('"../../../escaped" leads out of the job') }],
    ['wrong', { code: 'wrong_type', message: expect.stringMatching(/is no text: .*number.*text/) }],
    [
      'needs',
      { code: 'dependency_failed', message: expect.stringContaining('Odd/throws/Default failed: this went wrong') },
    ],
  ])('one that %s', async (name, exception) => {
    const [odd, good] = [await jobOf(name), await jobOf('good')];
    const produced = await produce([odd, good]);
    expect(produced).toMatchObject([{ status: 'error', exception }, { status: 'done' }]);
    expect(await odd.read()).toMatchObject({ status: 'error', done: false, running: false, exception, warnings: [] });
    expect((await namesOf(odd)).filter((file) => file !== 'Default.files')).toEqual(['Default.info']);
    expect(await good.load()).toBe('good');
    expect((await readdir(root, { recursive: true })).filter((file) => file.includes('escaped'))).toEqual([]);
  });
});

describe('files that are not as they should be', () => {
  test('a corrupt .info: the job is run and has a whole one; with a result it is done', async () => {
    for (const broken of ['', '{', '[]', '\0\0', '{"status":"start","pid":"x"}', 'x'.repeat(10_000)]) {
      const job = await jobOf('good');
      await mkdir(join(job.path, '..'), { recursive: true });
      await rm(job.path, { force: true });
      await writeFile(infoPath(job.path), broken);
      expect(await job.run()).toBe('good');
      expect(await job.read()).toMatchObject({ status: 'done', warnings: [] });
      await writeFile(infoPath(job.path), broken);
      expect(await produce([job])).toMatchObject([{ status: 'done', reused: true }]);
    }
  });

  test('a result without .info is done; an .info without result is run', async () => {
    const job = await jobOf('good');
    await job.run();
    await rm(infoPath(job.path));
    expect(await produce([job])).toMatchObject([{ reused: true }]);
    expect(await job.read()).toMatchObject({ status: 'done', done: true });
    await job.run({ update: true });
    await rm(job.path);
    expect(await job.read()).toMatchObject({ status: 'done', done: false });
    expect(await produce([job])).toMatchObject([{ status: 'done', reused: false }]);
    expect(await runs('good')).toBe(3);
  });

  test('a folder in place of the result, and a file in place of the folder: an error that names it', async () => {
    const [good, throws, slow] = [await jobOf('good'), await jobOf('throws'), await jobOf('slow')];
    await mkdir(good.path, { recursive: true });
    await writeFile(join(root, 'var/jobs/Odd/throws'), 'no folder');
    const produced = await produce([good, throws, slow]);
    expect(produced.map(({ status }) => status)).toEqual(['error', 'error', 'done']);
    expect(produced[0]?.exception?.message).toContain(good.path);
    expect(produced[1]?.exception?.message).toContain('Odd/throws');
  });
});

describe('locks of others', () => {
  const leaveLock = async (job: Job, info: object | undefined, age: number) => {
    await mkdir(lockPath(job.path), { recursive: true });
    const then = new Date(Date.now() - age);
    await utimes(lockPath(job.path), then, then);
    if (info) await writeFile(infoPath(job.path), JSON.stringify(info));
  };

  /** Its body has begun, too: a process may be stopped between its record and its work. */
  const isAtWork = async (job: Job): Promise<boolean> => (await job.read()).running && (await runs('waits')) === 1;

  test('of a process that was killed: followed at once', async () => {
    const other = start(['waits']);
    const job = await jobOf('waits');
    await until(() => isAtWork(job));
    other.runner.kill('SIGKILL');
    await other.end();
    expect(await readlink(lockPath(job.path))).toMatch(`${other.runner.pid} `);
    const begun = performance.now();
    const controller = new AbortController();
    const produced = produce([job], { signal: controller.signal });
    await until(async () => (await runs('waits')) === 2);
    expect(performance.now() - begun).toBeLessThan(lockStale / 2);
    controller.abort();
    expect(await produced).toMatchObject([{ status: 'aborted' }]);
  });

  test('that says nothing of who has it: waited for until it is stale, no longer', async () => {
    const job = await jobOf('good');
    await leaveLock(job, undefined, lockStale - 2_000);
    const begun = performance.now();
    expect(await job.run()).toBe('good');
    const waited = performance.now() - begun;
    expect(waited).toBeGreaterThan(1_000);
    expect(waited).toBeLessThan(lockStale);
  });

  test('a job that runs longer than a lock lasts keeps it', async () => {
    const both = await Promise.all([start(['patient']), start(['patient'])].map(({ end }) => end()));
    expect(both.map(({ said }) => JSON.parse(said).status)).toEqual(['done', 'done']);
    expect(await runs('patient')).toBe(1);
  });

  test('a process that can not refresh its own is followed, and what it makes in the end is dropped', async () => {
    const first = start(['blocks']);
    await until(async () => (await runs('blocks')) === 1);
    const second = start(['blocks']);
    const [one, two] = [await first.end(), await second.end()].map(({ said }) => JSON.parse(said));
    expect(one).toMatchObject({ status: 'error', exception: { code: 'lock_lost' } });
    expect(two).toMatchObject({ status: 'done', reused: false });
    const job = await jobOf('blocks');
    expect(await job.load()).toBe(`of ${second.runner.pid}`);
    expect(await job.read()).toMatchObject({ status: 'done', info: { pid: second.runner.pid } });
    expect(await namesOf(job)).toEqual(['Default', 'Default.info']);
  });

  test(`two processes that want one job, ${times(50)} times: it runs once, both have it`, async () => {
    for (let round = 0; round < times(50); round++) {
      root = await mkdtemp(join(folder, 'pair-'));
      const both = await Promise.all([start(['slow']), start(['slow'])].map(({ end }) => end()));
      const told = both.map(({ said }) => JSON.parse(said));
      expect(told.map(({ status }) => status)).toEqual(['done', 'done']);
      expect(await runs('slow')).toBe(1);
    }
  });

  test('two threads of one process that want one job: it runs once, both have it', async () => {
    const { code, said } = await start(['slow'], threads).end();
    expect(code).toBe(0);
    expect(said.match(/"status":"done"/g)).toHaveLength(2);
    expect(await runs('slow')).toBe(1);
  });

  test('what another process runs is not cleaned; once that is dead, it is', async () => {
    const other = start(['waits']);
    const job = await jobOf('waits');
    await until(() => isAtWork(job));
    await expect(job.clean()).rejects.toMatchObject({
      code: 'job_running',
      message: expect.stringContaining(`process ${other.runner.pid} on`),
    });
    other.runner.kill('SIGKILL');
    await other.end();
    await job.clean();
    expect(await namesOf(job)).toEqual([]);
  });

  test('the failure of another process is seen', async () => {
    const other = start(['waits']);
    const job = await jobOf('waits');
    await until(() => isAtWork(job));
    const waiting = job.run();
    waiting.catch(() => undefined);
    const { code } = await start(['waits', 'abort']).end();
    expect(code).toBe(0);
    expect(JSON.parse((await other.end()).said)).toMatchObject({ status: 'aborted', exception: { code: 'aborted' } });
    await expect(waiting).rejects.toMatchObject({ message: expect.stringContaining('another process asked for it') });
    expect(await job.read()).toMatchObject({ status: 'aborted', running: false });
    expect(await namesOf(job)).toEqual(['Default.info']);
    expect(await runs('waits')).toBe(1);
  });
});

const mayMount = () => {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' });
    return process.getuid?.() === 0;
  } catch {
    return false;
  }
};

describe.runIf(mayMount())('a full disk', () => {
  let disk: string;
  beforeAll(async () => {
    disk = join(folder, 'full');
    await mkdir(disk);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk]);
  });
  afterAll(() => execFileSync('umount', [disk]));

  test.each(['fills', 'streams', 'prints'])(
    'one that %s it: says so, nothing half written; others go on',
    async (name) => {
      const [odd, good] = [await jobOf(name, disk), await jobOf('good', disk)];
      const produced = await produce([odd, good], { concurrency: 1 });
      expect(produced).toMatchObject([
        { status: 'error', exception: { code: 'disk_full', message: expect.stringContaining(`Odd/${name}/Default`) } },
        { status: 'done' },
      ]);
      expect(await namesOf(odd)).toEqual(['Default.info']);
      expect(await odd.read()).toMatchObject({ status: 'error', running: false, exception: { code: 'disk_full' } });
      await good.clean();
    },
  );

  test('one that is full already: says so; with room the job is run', async () => {
    const filler = join(disk, 'filler');
    await writeFile(filler, 'z'.repeat(300_000)).catch(() => undefined);
    const size = (await stat(filler)).size;
    expect(size).toBeGreaterThan(0);
    const slow = await jobOf('slow', disk);
    const [produced] = await produce([slow]);
    expect(produced).toMatchObject({ status: 'error', exception: { code: 'disk_full' } });
    await rm(filler);
    expect(await slow.run()).toBe('slow');
    expect(await namesOf(slow)).toEqual(['Default', 'Default.info']);
  });
});
