import { lutimesSync, symlinkSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
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
  task,
} from '@colophon/workflow';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { collect } from './support/collect.js';
import { contextOf, namesOf } from './support/jobs.js';

type Run = (step: Step) => unknown;

const jobOf = async (run: Run, more: Partial<Omit<Task, 'run'>> = {}) => {
  const context = contextOf({ go: task({ type: 'text', ...more, run: (_, step) => run(step) }) });
  return { context, job: await createJob('Test', 'go', {}, { context }) };
};

const until = async (holds: () => Promise<unknown> | unknown): Promise<void> => {
  while (!(await holds())) await wait(5);
};

/** The files of a job that another run began and did not end; `locked`: with the lock of that run, refreshed so many milliseconds ago. */
const begunBy = async (
  job: Job,
  { pid = 1, host = 'elsewhere', locked }: { pid?: number; host?: string; locked?: number },
) => {
  await mkdir(dirname(job.path), { recursive: true });
  const info = { status: 'start', pid, pid_hostname: host, start: '2026-01-01T00:00:00.000Z', messages: ['begun'] };
  await writeFile(infoPath(job.path), JSON.stringify(info));
  await writeFile(join(dirname(job.path), '.Default.0a1b-0.tmp'), 'half');
  if (locked === undefined) return;
  symlinkSync(`${pid} ${host} 0a1b`, lockPath(job.path));
  const then = new Date(Date.now() - locked);
  lutimesSync(lockPath(job.path), then, then);
};

describe('joining', () => {
  test('waits for whoever runs it, and for a job that nobody has begun', async () => {
    let release = (_: string): void => undefined;
    const { job } = await jobOf(() => new Promise((resolve) => (release = resolve)));
    const early = job.join();
    const run = job.run();
    await until(async () => (await job.read()).running);
    const late = job.join();
    release('x');
    await Promise.all([early, late, run]);
    expect(await job.load()).toBe('x');
  });

  test('ends with its signal', async () => {
    const { job } = await jobOf(() => 'x');
    await expect(job.join({ signal: AbortSignal.timeout(20) })).rejects.toThrow('timeout');
  });

  test.each([
    ['on another host, and left no lock', { host: 'elsewhere' }],
    ['on another host, whose lock is stale', { host: 'elsewhere', locked: lockStale + 1000 }],
    ['here, and whose id another process has now', { pid: process.ppid, host: '' }],
    ['here, and is dead', { pid: 2 ** 22 + 1, host: '', locked: 0 }],
  ])('a run that began %s: nobody runs it', async (_, by) => {
    const { job, context } = await jobOf(() => 'x');
    await begunBy(job, { ...by, host: by.host || context.host });
    const told = { code: 'no_run', message: expect.stringContaining('Run it again') };
    await expect(job.join()).rejects.toMatchObject(told);
    await expect(collect(job.stream())).rejects.toMatchObject(told);
    expect(await job.run()).toBe('x');
    expect(namesOf(context, 'go')).toEqual(['Default', 'Default.info']);
  });
});

describe('stopping what others run', () => {
  test.each([
    ['whose process is gone', { pid: 2 ** 22 + 1, host: '', locked: 0 }],
    ['whose id another process has now', { pid: process.ppid, host: '' }],
    ['of another host, whose lock is stale', { locked: lockStale + 1000 }],
    ['of another host, without a lock', {}],
  ])('a job %s is recorded as aborted, its half written file removed', async (_, by) => {
    const { job, context } = await jobOf(() => 'x');
    await begunBy(job, { ...by, ...('host' in by ? { host: context.host } : {}) });
    await job.abort('not needed');
    expect(await job.read()).toMatchObject({
      status: 'aborted',
      messages: ['begun'],
      exception: { code: 'aborted', message: expect.stringContaining('not needed') },
    });
    expect(namesOf(context, 'go')).toEqual(['Default.info']);
  });

  test('one that runs on another host is left a mark, and waited for', async () => {
    const { job, context } = await jobOf(() => 'x');
    await begunBy(job, { locked: 0 });
    const stopped = job.abort('not needed');
    await until(() => namesOf(context, 'go').includes('.Default.abort'));
    expect(await readFile(join(dirname(job.path), '.Default.abort'), 'utf8')).toBe(
      'elsewhere\n1\n2026-01-01T00:00:00.000Z\nnot needed',
    );
    await writeFile(infoPath(job.path), JSON.stringify({ status: 'aborted' }));
    await stopped;
    expect(namesOf(context, 'go')).not.toContain('.Default.abort');
  });

  test.each(['done', 'error', 'aborted'])('one that ended as %s stays as it is', async (status) => {
    const { job } = await jobOf(() => 'x');
    await mkdir(dirname(job.path), { recursive: true });
    await writeFile(infoPath(job.path), JSON.stringify({ status }));
    await job.abort();
    expect(await readFile(infoPath(job.path), 'utf8')).toBe(JSON.stringify({ status }));
  });
});

describe('streams', () => {
  test('characters that come in halves are whole', async () => {
    const { job } = await jobOf(async function* () {
      for (const half of 'a😀b😀'.split('')) yield half;
      yield new Uint8Array([0xc3]);
      yield new Uint8Array([0xa9]);
    });
    expect(await job.run()).toBe('a😀b😀é');
  });

  test('what a program prints is read while it runs', async () => {
    const context = contextOf({
      go: command({
        input: z.object({ gate: z.string() }),
        type: 'text',
        script: 'echo one; until [ -e "$GATE" ]; do sleep 0.02; done; echo two',
      }),
    });
    const gate = join(context.jobs, 'gate');
    const job = await createJob('Test', 'go', { gate }, { context });
    const run = job.run();
    const stream = job.stream() as AsyncGenerator<Uint8Array>;
    expect(Buffer.from((await stream.next()).value!).toString()).toBe('one\n');
    await writeFile(gate, '');
    expect(Buffer.concat(await collect(stream)).toString()).toBe('two\n');
    expect(await run).toBe('one\ntwo\n');
    expect((await job.read()).info['temporary_path']).toBeUndefined();
  });
});

describe('what a step tells', () => {
  test('progress is told while it runs, and not after', async () => {
    let step: Step | undefined;
    const events: ProgressEvent[] = [];
    const { job } = await jobOf((its) => {
      step = its;
      its.progress({ done: 1, total: 2, message: 'half' });
      return 'x';
    });
    await job.run({ onProgress: (event) => events.push(event) });
    step!.progress({ done: 2, total: 2 });
    expect(events).toMatchObject([
      { kind: 'start' },
      { kind: 'progress', progress: { done: 1, total: 2, message: 'half' } },
      { kind: 'done' },
    ]);
  });

  test('all lines are there in the end, in order, at the cost of a few writes', async () => {
    const { job } = await jobOf(async (step) => {
      for (let line = 0; line < 20_000; line++) await step.log(`line ${line}`);
      return 'x';
    });
    await job.run();
    const { messages } = await job.read();
    expect(messages).toHaveLength(20_000);
    expect(messages.every((line, index) => line === `line ${index}`)).toBe(true);
  });

  test('a line is on disk soon, also where the task waits then', async () => {
    const { job } = await jobOf(async (step) => {
      await step.log('first');
      await step.log('second');
      await until(async () => (await job.read()).messages.includes('second'));
      return 'x';
    });
    expect(await job.run()).toBe('x');
  });

  const circle: Record<string, unknown> = {};
  circle['of'] = circle;
  test.each<[string, Record<string, unknown>]>([
    ['a number that JSON has not', { size: 10n }],
    ['a circle', { circle }],
    ['messages that are none', { messages: 'none' }],
    ['inputs that are none', { inputs: 7 }],
  ])('%s is no info: the job fails, and that is recorded', async (_, values) => {
    const { job } = await jobOf(async (step) => {
      await step.setInfo({ good: 1 });
      await step.setInfo(values);
      return 'x';
    });
    const [produced] = await produce([job]);
    expect(produced).toMatchObject({ status: 'error', exception: { code: 'bad_info' } });
    expect(await job.read()).toMatchObject({
      status: 'error',
      exception: { code: 'bad_info' },
      info: { good: 1 },
      warnings: [],
    });
  });
});

describe('jobs that need each other', () => {
  const asking = () =>
    contextOf({
      ask: task({
        input: z.object({ who: z.string(), other: z.string() }),
        type: 'text',
        run: async ({ who, other }, step) => {
          // Both have begun before one asks for the other.
          await wait(30);
          const job = await step.job('Test', 'ask', { who: other, other: who });
          return String(await job.run());
        },
      }),
    });

  test('each by the run of the other: told, not waited for', async () => {
    const context = asking();
    const jobs = await Promise.all([
      createJob('Test', 'ask', { who: 'a', other: 'b' }, { context }),
      createJob('Test', 'ask', { who: 'b', other: 'a' }, { context }),
    ]);
    const produced = await produce(jobs);
    expect(produced.map(({ exception }) => exception?.code)).toEqual(['recursive_job', 'recursive_job']);
  });

  test('itself, by way of work that was begun and is waited for later', async () => {
    const { job } = await jobOf(async (step) => {
      const later = new Promise((resolve, reject) => {
        setTimeout(
          () =>
            step
              .job('Test', 'go')
              .then((again) => again.run())
              .then(resolve, reject),
          1,
        );
      });
      return later;
    });
    await expect(job.run()).rejects.toMatchObject({ code: 'recursive_job' });
  });

  test('two that wait for a third are no circle', async () => {
    const context = contextOf({
      third: task({ type: 'text', run: () => wait(60, 'x') }),
      ask: task({
        input: z.object({ n: z.number() }),
        type: 'text',
        run: async (_, step) => String(await (await step.job('Test', 'third')).run()),
      }),
    });
    const jobs = await Promise.all([1, 2, 3].map((n) => createJob('Test', 'ask', { n }, { context })));
    expect((await produce(jobs)).map(({ status }) => status)).toEqual(['done', 'done', 'done']);
  });
});

test('any number of jobs may listen to one signal', async () => {
  const warnings: string[] = [];
  const hear = ({ name }: Error) => warnings.push(name);
  process.on('warning', hear);
  const context = contextOf({
    go: task({ input: z.object({ n: z.number() }), type: 'text', run: () => wait(20, 'x') }),
  });
  const jobs = await Promise.all(Array.from({ length: 40 }, (_, n) => createJob('Test', 'go', { n }, { context })));
  const { signal } = new AbortController();
  await produce(jobs, { concurrency: 20, signal });
  await Promise.all(jobs.map((job) => job.run({ signal, update: true })));
  await wait(5);
  process.off('warning', hear);
  expect(warnings).toEqual([]);
});

test('a result that is there stays done where what it needs has failed since', async () => {
  let broken = false;
  const context = contextOf({
    fire: task({
      type: 'text',
      fresh: true,
      run: () => {
        if (broken) throw new Error('no wood');
        return 'fire';
      },
    }),
    bake: task({ type: 'text', needs: { fire: { task: 'fire' } }, run: () => 'bread' }),
  });
  const bake = await createJob('Test', 'bake', {}, { context });
  await bake.run();
  broken = true;
  await expect(bake.run({ update: true })).rejects.toMatchObject({ code: 'dependency_failed' });
  expect(await bake.read()).toMatchObject({ status: 'done', done: true, warnings: [] });
  expect(await bake.load()).toBe('bread');
});

test('what an earlier run left in its files is there for the next one; its record is not', async () => {
  let tries = 0;
  const { job } = await jobOf(async (step) => {
    await step.setInfo({ [`try_${++tries}`]: true });
    const path = await step.file('notes.txt');
    const before = await readFile(path, 'utf8').catch(() => '');
    await writeFile(path, `${before}${tries}`);
    if (tries === 1) throw new Error('no');
    return before;
  });
  await produce([job]);
  expect(await job.run()).toBe('1');
  expect(await readFile(join(filesPath(job.path), 'notes.txt'), 'utf8')).toBe('12');
  const { info, exception } = await job.read();
  expect([info['try_1'], info['try_2'], exception]).toEqual([undefined, true, undefined]);
});
