import { existsSync, lutimesSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate, setTimeout as wait } from 'node:timers/promises';
import {
  command,
  createJob,
  filesPath,
  infoPath,
  type Job,
  lockPath,
  lockStale,
  type ProgressEvent,
  produce,
  type Step,
  type Task,
  type TaskDefinition,
  task,
} from '@colophon/workflow';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { collect } from './support/collect.js';
import { makeFolder } from './support/folder.js';
import { contextOf, namesOf } from './support/jobs.js';

type Run = TaskDefinition<z.ZodObject<Record<never, never>>, unknown>['run'];

/** A job of a task that does this. */
const jobOf = async (run: Run, more: Partial<Omit<Task, 'run' | 'input'>> = {}) => {
  const context = contextOf({ go: task({ type: 'text', ...more, run }) });
  return { context, job: await createJob('Test', 'go', {}, { context }) };
};

const never = (): Promise<never> => new Promise(() => undefined);

const until = async (holds: () => Promise<unknown> | unknown): Promise<void> => {
  while (!(await holds())) await wait(5);
};

describe('what a run leaves', () => {
  test('a result, and an .info that tells all of it', async () => {
    const context = contextOf({
      need: task({ type: 'text', run: () => 'x' }),
      go: task({
        input: z.object({ size: z.number(), shape: z.string().default('round') }),
        type: 'json',
        needs: { need: { task: 'need' } },
        run: async ({ size }, step) => {
          await step.log('shaping');
          await step.setInfo({ oven: 2 });
          return { size };
        },
      }),
    });
    const job = await createJob('Test', 'go', { size: 3 }, { context });
    expect(await job.run()).toEqual({ size: 3 });
    const info = JSON.parse(await readFile(infoPath(job.path), 'utf8'));
    expect(info).toEqual({
      status: 'done',
      workflow: 'Test',
      task_name: 'go',
      type: 'json',
      issued: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      start: expect.stringMatching(/Z$/),
      end: expect.stringMatching(/Z$/),
      time_elapsed: expect.any(Number),
      total_time_elapsed: expect.any(Number),
      pid: process.pid,
      pid_hostname: context.host,
      inputs: [3, 'round'],
      input_names: ['size', 'shape'],
      provided_inputs: { size: 3 },
      non_default_inputs: ['size'],
      dependencies: [(job.dependencies['need'] as Job).path],
      messages: ['shaping'],
      oven: 2,
    });
    expect(await job.read()).toMatchObject({ status: 'done', done: true, running: false, warnings: [] });
    expect(namesOf(context, 'go')).toEqual([job.name, `${job.name}.info`]);
  });

  test('while it runs its status and lock say so', async () => {
    let release = (_: string): void => undefined;
    const { job, context } = await jobOf(() => new Promise((resolve) => (release = resolve)));
    const run = job.run();
    await until(async () => (await job.read()).running);
    expect(await job.read()).toMatchObject({ status: 'start', running: true, done: false });
    expect(namesOf(context, 'go')).toEqual(['.Default.lock', 'Default.info']);
    release('x');
    expect(await run).toBe('x');
    expect(namesOf(context, 'go')).toEqual(['Default', 'Default.info']);
  });

  test('its .info is whole whenever it is read', async () => {
    const { job } = await jobOf(async (_, step) => {
      for (let line = 0; line < 60; line++) await step.log(`${line} ${'x'.repeat(5_000)}`);
      return '';
    });
    let [ended, reads] = [false, 0];
    const run = job.run().finally(() => (ended = true));
    await until(() => existsSync(infoPath(job.path)));
    for (; !ended; await setImmediate()) {
      expect(() => JSON.parse(readFileSync(infoPath(job.path), 'utf8'))).not.toThrow();
      reads += 1;
    }
    await run;
    expect((await job.read()).messages).toHaveLength(60);
    expect(reads).toBeGreaterThan(10);
  });

  test('files are in its folder, at any depth', async () => {
    const { job, context } = await jobOf(async (_, step) => {
      writeFileSync(await step.file('a/b/c.txt'), 'deep');
      return '';
    });
    await job.run();
    expect(readFileSync(join(filesPath(job.path), 'a/b/c.txt'), 'utf8')).toBe('deep');
    expect(namesOf(context, 'go')).toEqual(['Default', 'Default.files', 'Default.info']);
  });

  test('a task may write its result itself', async () => {
    const { job } = await jobOf(async (_, step) => writeFile(step.temporaryPath, '[1, 2]'), { type: 'json' });
    expect(await job.run()).toEqual([1, 2]);
  });

  test('a stream is read while it grows', async () => {
    let go = (): void => undefined;
    const gate = new Promise<void>((resolve) => (go = resolve));
    const { job } = await jobOf(async function* () {
      yield 'first ';
      await gate;
      yield Buffer.from('second');
    } as Run);
    const run = job.run();
    const stream = job.stream() as AsyncGenerator<Uint8Array>;
    const { value } = await stream.next();
    expect(Buffer.from(value!).toString()).toBe('first ');
    expect(await job.read()).toMatchObject({ status: 'streaming', done: false });
    go();
    expect(Buffer.concat(await collect(stream)).toString()).toBe('second');
    expect(await run).toBe('first second');
    expect((await job.read()).info['temporary_path']).toBeUndefined();
  });

  test('a program is a task', async () => {
    const context = contextOf({
      go: command({ input: z.object({ word: z.string() }), type: 'text', script: 'printf "%s!" "$WORD"; echo hm >&2' }),
    });
    const job = await createJob('Test', 'go', { word: 'hi; rm -rf' }, { context });
    expect(await job.run()).toBe('hi; rm -rf!');
    expect((await job.read()).messages).toEqual(['hm']);
  });
});

describe('what goes wrong is told, and leaves no result', () => {
  test.each<[string, Run, Partial<Task>, object]>([
    [
      'throws',
      () => {
        throw new TypeError('bad flour');
      },
      {},
      { name: 'TypeError', message: 'bad flour' },
    ],
    ['throws what is no error', () => Promise.reject('just text'), {}, { name: 'Error', message: 'just text' }],
    [
      'returns another type',
      () => 42,
      {},
      { code: 'wrong_type', message: expect.stringMatching(/go\/Default is no text: .*number.*text/) },
    ],
    [
      'returns nothing',
      () => undefined,
      {},
      { code: 'nothing_returned', message: expect.stringContaining('returned nothing; expected text') },
    ],
    [
      'writes what its type does not allow',
      (_, step) => writeFile(step.temporaryPath, '{'),
      { type: 'json' },
      {
        code: 'wrong_type',
        message: expect.stringMatching(
          /no json: of the file that it wrote, Expected property.* Return a value of this/,
        ),
      },
    ],
    [
      'streams what is no text',
      async function* () {
        yield 'a';
        yield 7;
      } as Run,
      {},
      { code: 'wrong_type', message: expect.stringContaining('a stream of number') },
    ],
    [
      'breaks off its stream',
      async function* () {
        yield 'half';
        throw new Error('torn');
      } as Run,
      {},
      { message: 'torn' },
    ],
    ['names a file above its folder', (_, step) => step.file('../x'), {}, { code: 'outside_files' }],
    ['names a file by an absolute path', (_, step) => step.file('/tmp/x'), {}, { code: 'outside_files' }],
    [
      'names a file behind a link',
      async (_, step) => {
        symlinkSync('/tmp', await step.file('link'));
        return step.file('link/x');
      },
      {},
      { code: 'outside_files' },
    ],
    ['asks for what it does not need', (_, step) => step.dependency('salt').load(), {}, { code: 'unknown_dependency' }],
    [
      'takes too long, and does not listen',
      never,
      { timeLimit: 30 },
      { code: 'timeout', message: expect.stringContaining('longer than 30 ms') },
    ],
  ])('it %s', async (_, run, more, exception) => {
    const { job, context } = await jobOf(run, more);
    const [produced] = await produce([job]);
    expect(produced).toMatchObject({ status: 'error', exception });
    expect(await job.read()).toMatchObject({ status: 'error', done: false, running: false, exception });
    await expect(job.join()).rejects.toMatchObject(exception);
    await expect(job.load()).rejects.toMatchObject({ code: 'no_result' });
    expect(namesOf(context, 'go').filter((name) => name !== 'Default.files')).toEqual([`${job.name}.info`]);
  });

  test('what a task that was given up does later is not taken', async () => {
    let step: Step | undefined;
    let finish = (_: string): void => undefined;
    const { job, context } = await jobOf(
      async (_, its) => {
        step = its;
        const value = await new Promise<string>((resolve) => (finish = resolve));
        return value;
      },
      { timeLimit: 30 },
    );
    await expect(job.run()).rejects.toMatchObject({ code: 'timeout' });
    const before = readFileSync(infoPath(job.path), 'utf8');
    finish('late');
    await step?.log('late');
    await step?.setInfo({ status: 'done' });
    await wait(20);
    expect(readFileSync(infoPath(job.path), 'utf8')).toBe(before);
    expect(namesOf(context, 'go')).toEqual(['Default.info']);
  });

  test('a try that was given up does not spoil the next one', async () => {
    let wake = (): void => undefined;
    let late: Promise<void> | undefined;
    const { job } = await jobOf(
      async (_, step) => {
        if (late === undefined) {
          late = new Promise<void>((resolve) => (wake = resolve)).then(() =>
            writeFile(step.temporaryPath, 'first, late'),
          );
          return never();
        }
        await writeFile(step.temporaryPath, 'second');
        wake();
        return late;
      },
      { timeLimit: 2_000, retry: 1 },
    );
    expect(await job.run()).toBe('second');
  });

  test('a step that logs without waiting brings nothing down where it can not be written', async () => {
    const { job } = await jobOf(async (_, step) => {
      await rm(dirname(step.path), { recursive: true });
      void step.log('nowhere to go');
      await wait(10);
      return '';
    });
    const [produced] = await produce([job]);
    expect(produced).toMatchObject({ status: 'error' });
  });
});

describe('tries', () => {
  test('as often as the task says, the call where it says nothing; each is told', async () => {
    let tries = 0;
    const events: ProgressEvent[] = [];
    const { job } = await jobOf(() => {
      tries += 1;
      if (tries < 3) throw new Error(`try ${tries}`);
      return 'at last';
    });
    expect(await job.run({ retry: 2, onProgress: (event) => events.push(event) })).toBe('at last');
    expect(events.filter(({ kind }) => kind === 'retry')).toMatchObject([
      { attempt: 1, delay: 500, exception: { message: 'try 1' } },
      { attempt: 2, delay: 1000, exception: { message: 'try 2' } },
    ]);
    expect((await job.read()).messages).toEqual(['Error: try 1', 'Error: try 2']);
  });

  test('a wrong type is not tried again, and waiting ends with the run', async () => {
    let tries = 0;
    const wrong = await jobOf(
      () => {
        tries += 1;
        return 7;
      },
      { retry: 5 },
    );
    await expect(wrong.job.run()).rejects.toMatchObject({ code: 'wrong_type' });
    expect(tries).toBe(1);
    const controller = new AbortController();
    const failing = await jobOf(
      () => {
        throw new Error('no');
      },
      { retry: 20 },
    );
    const onProgress = ({ kind }: ProgressEvent) => kind === 'retry' && controller.abort(new Error('enough'));
    await expect(failing.job.run({ signal: controller.signal, onProgress })).rejects.toMatchObject({ code: 'aborted' });
  });
});

describe('stopping', () => {
  test('by the signal: aborted, not an error; what has not begun leaves nothing', async () => {
    const controller = new AbortController();
    const context = contextOf({
      hang: task({
        input: z.object({ n: z.number() }),
        type: 'text',
        run: (_, { signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason));
          }),
      }),
    });
    const jobs = await Promise.all([1, 2, 3].map((n) => createJob('Test', 'hang', { n }, { context })));
    const produced = produce(jobs, { concurrency: 1, signal: controller.signal });
    await until(async () => (await jobs[0]!.read()).running);
    controller.abort(new Error('it is late'));
    expect((await produced).map(({ status }) => status)).toEqual(['aborted', 'aborted', 'aborted']);
    expect(await jobs[0]!.read()).toMatchObject({
      status: 'aborted',
      exception: { code: 'aborted', message: expect.stringContaining('it is late') },
    });
    expect((await jobs[1]!.read()).status).toBe('noinfo');
  });

  test('by job.abort, a task that does not listen too; a later run is not stopped by it', async () => {
    let hang = true;
    const { job, context } = await jobOf(() => (hang ? never() : wait(400, 'done')));
    const run = job.run();
    run.catch(() => undefined);
    await until(async () => (await job.read()).running);
    await job.abort('changed my mind');
    await expect(run).rejects.toMatchObject({ code: 'aborted', message: expect.stringContaining('changed my mind') });
    expect(await job.read()).toMatchObject({ status: 'aborted', running: false });
    expect(namesOf(context, 'go')).toEqual(['Default.info']);
    await job.abort();
    hang = false;
    writeFileSync(join(dirname(job.path), '.Default.abort'), `${context.host}\n${context.pid}\nlong ago\nolder mark`);
    expect(await job.run()).toBe('done');
    expect(namesOf(context, 'go')).toEqual(['Default', 'Default.info']);
  });

  test('a program is ended with all that it started', async () => {
    const folder = makeFolder();
    const context = contextOf({
      go: command({ type: 'text', script: `sh -c 'echo $$ > ${folder}/pid; exec sleep 600' & wait`, timeLimit: 500 }),
    });
    const job = await createJob('Test', 'go', {}, { context });
    await expect(job.run()).rejects.toMatchObject({ code: 'timeout' });
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    expect(() => process.kill(pid, 0)).toThrow();
  });
});

describe('locks', () => {
  test('two runs in one process: one runs, both have the result', async () => {
    let runs = 0;
    const { context } = await jobOf(() => '');
    const Test = {
      name: 'Test',
      tasks: { go: task({ type: 'text', run: () => wait(30).then(() => String(++runs)) }) },
    };
    const jobs = await Promise.all([1, 2, 3].map(() => createJob(Test, 'go', {}, { context })));
    expect(await Promise.all(jobs.map((job) => job.run()))).toEqual(['1', '1', '1']);
  });

  test('a job that asks for itself is told', async () => {
    const { job } = await jobOf(async (_, step) => (await step.job('Test', 'go')).run());
    await expect(job.run()).rejects.toMatchObject({ code: 'recursive_job' });
  });

  const held = async (pid: number, host: string, age: number) => {
    const { job, context } = await jobOf(() => 'mine');
    await mkdir(dirname(job.path), { recursive: true });
    symlinkSync(`${pid} ${host || context.host} 0a1b`, lockPath(job.path));
    const then = new Date(Date.now() - age);
    lutimesSync(lockPath(job.path), then, then);
    await writeFile(join(dirname(job.path), '.Default.0a1b-0.tmp'), 'half');
    await writeFile(infoPath(job.path), JSON.stringify({ status: 'start', pid, pid_hostname: host || context.host }));
    return { job, context };
  };

  test('that of a dead process of this host is taken over at once, its half written file removed', async () => {
    const { job, context } = await held(2 ** 22 + 1, '', 0);
    await expect(job.join()).rejects.toMatchObject({ code: 'no_run' });
    expect(await job.run({ signal: AbortSignal.timeout(lockStale / 2) })).toBe('mine');
    expect(namesOf(context, 'go')).toEqual(['Default', 'Default.info']);
  });

  test('that of this process is respected while it is fresh, as another of its threads may hold it; not when it is stale', async () => {
    const { job: fresh } = await held(process.pid, '', 0);
    await expect(fresh.run({ signal: AbortSignal.timeout(300) })).rejects.toMatchObject({ code: 'aborted' });
    const { job } = await held(process.pid, '', lockStale + 1000);
    expect(await job.run({ signal: AbortSignal.timeout(lockStale / 2) })).toBe('mine');
    let release = (_: string): void => undefined;
    const { job: other } = await jobOf(() => new Promise((resolve) => (release = resolve)));
    const run = other.run();
    await until(async () => (await other.read()).running);
    const both = other.run();
    await wait(50);
    release('x');
    expect(await Promise.all([run, both])).toEqual(['x', 'x']);
  });

  test('a lock that is a folder, and says nothing, is one all the same', async () => {
    const { job } = await jobOf(() => 'mine');
    await mkdir(lockPath(job.path), { recursive: true });
    const controller = new AbortController();
    const run = produce([job], { signal: controller.signal });
    await wait(50);
    controller.abort();
    expect(await run).toMatchObject([{ status: 'aborted' }]);
    const then = new Date(Date.now() - lockStale - 1000);
    utimesSync(lockPath(job.path), then, then);
    expect(await job.run()).toBe('mine');
  });

  test('that of another host is, once it is stale', async () => {
    const { job } = await held(1, 'elsewhere', lockStale + 1000);
    expect(await job.run()).toBe('mine');
  });

  test('that of another host is waited for while it is fresh: its result, or its failure', async () => {
    const { job } = await held(1, 'elsewhere', 0);
    const run = job.run({ signal: AbortSignal.timeout(lockStale / 2) });
    await wait(50);
    await writeFile(`${job.path}.new`, 'theirs');
    await rename(`${job.path}.new`, job.path);
    expect(await run).toBe('theirs');
    const other = await held(1, 'elsewhere', 0);
    const failing = other.job.run({ signal: AbortSignal.timeout(lockStale / 2) });
    failing.catch(() => undefined);
    await wait(50);
    const exception = { name: 'Error', message: 'theirs failed' };
    await writeFile(
      infoPath(other.job.path),
      JSON.stringify({ status: 'error', end: new Date().toISOString(), exception }),
    );
    await expect(failing).rejects.toThrow('theirs failed');
  });

  test('one that was lost: the result is dropped, and what the other has stays', async () => {
    const { job, context } = await jobOf(async (_, step) => {
      await rm(lockPath(step.path));
      symlinkSync('1 elsewhere 0a1b', lockPath(step.path));
      await writeFile(infoPath(step.path), '{"status":"start","pid":1}');
      return 'mine';
    });
    await expect(job.run()).rejects.toMatchObject({ code: 'lock_lost' });
    expect(namesOf(context, 'go')).toEqual(['.Default.lock', 'Default.info']);
    expect(readFileSync(infoPath(job.path), 'utf8')).toBe('{"status":"start","pid":1}');
  });

  test('what somebody runs is not cleaned, and the error says who', async () => {
    const { job, context } = await jobOf(never);
    const controller = new AbortController();
    const run = produce([job], { signal: controller.signal });
    await until(async () => (await job.read()).running);
    await expect(job.clean()).rejects.toMatchObject({
      code: 'job_running',
      message: expect.stringContaining(`process ${context.pid} on`),
    });
    controller.abort();
    await run;
    await job.clean();
    expect(namesOf(context, 'go')).toEqual([]);
  });
});

test('recursive cleaning takes all that is needed, and nothing of other folders', async () => {
  const root = makeFolder();
  const tasks = {
    salt: task({ type: 'text', run: () => 'salt' }),
    mix: task({ type: 'text', needs: { salt: { task: 'salt' } }, run: () => 'dough' }),
    bake: task({ type: 'text', needs: { dough: { task: 'mix' }, salt: { task: 'salt' } }, run: () => 'bread' }),
  };
  const there = contextOf(tasks, { roots: [root] });
  await (await createJob('Test', 'salt', {}, { context: there })).run();
  const here = contextOf(tasks, { roots: [makeFolder(), root] });
  const bake = await createJob('Test', 'bake', {}, { context: here });
  await bake.run();
  await bake.recursiveClean();
  expect([namesOf(here, 'bake'), namesOf(here, 'mix')]).toEqual([[], []]);
  expect(namesOf(there, 'salt')).toEqual(['Default', 'Default.info']);
});
