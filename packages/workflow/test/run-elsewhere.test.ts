import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  createJob,
  dependency,
  type Engine,
  infoPath,
  type Job,
  produce,
  runJobAt,
  type Task,
  task,
  type WorkflowContext,
} from '@colophon/workflow';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { makeFolder } from './support/folder.js';
import { contextOf } from './support/jobs.js';
import { queueContext, queueEngine } from './support/queue.js';

const worker = fileURLToPath(new URL('support/queue-worker.ts', import.meta.url));

const startWorker = async (queue: string, root: string): Promise<ChildProcess> => {
  const child = spawn(process.execPath, ['--import', 'tsx', '-C', 'colophon-source', worker, queue, root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout!, 'data');
  return child;
};

afterEach(() => {
  vi.useRealTimers();
});

/** Lets what is on its way to and from the disk happen, while the clock stands still. */
const until = async (holds: () => unknown): Promise<void> => {
  while (!(await holds())) await turn();
};

describe('an engine that says nothing', () => {
  const setUp = async (run: Engine['run']) => {
    const context = contextOf({ go: task({ type: 'text', run: () => 'ran' }) });
    const job = await createJob('Test', 'go', {}, { context });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    return { job, engine: { name: 'odd', run } };
  };

  test('after it told that it lives: it is given up after a minute, and told to stop', async () => {
    let beat = (): void => undefined;
    let signal: AbortSignal | undefined;
    const { job, engine } = await setUp((_, options) => {
      beat = options.heartbeat;
      signal = options.signal;
      return new Promise(() => undefined);
    });
    const produced = produce([job], { engine });
    await until(() => signal);
    beat();
    for (let beats = 0; beats < 5; beats++) {
      await vi.advanceTimersByTimeAsync(50_000);
      beat();
    }
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await produced).toMatchObject([
      {
        status: 'error',
        exception: { code: 'engine_silent', message: expect.stringMatching(/odd .*Test\/go\/Default/) },
      },
    ]);
    expect(signal?.aborted).toBe(true);
    vi.useRealTimers();
    expect(await job.run()).toBe('ran');
  });

  test('from the start, as a long queue does: it is waited for', async () => {
    let end = (): void => undefined;
    const { job, engine } = await setUp(
      (path) =>
        new Promise((resolve, reject) => {
          end = () =>
            void runJobAt(path, (job as Job & { plan: { context: WorkflowContext } }).plan.context).then(
              () => resolve(),
              reject,
            );
        }),
    );
    const produced = produce([job], { engine });
    await until(async () => (await job.read()).status === 'queued');
    await vi.advanceTimersByTimeAsync(3_600_000);
    vi.useRealTimers();
    end();
    expect(await produced).toMatchObject([{ status: 'done' }]);
  });

  test('when it is cancelled: it is waited for ten seconds', async () => {
    let begun = false;
    const controller = new AbortController();
    const { job, engine } = await setUp(() => {
      begun = true;
      return new Promise(() => undefined);
    });
    const produced = produce([job], { engine, signal: controller.signal });
    await until(() => begun);
    controller.abort(new Error('enough'));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await produced).toMatchObject([
      { status: 'aborted', exception: { message: expect.stringContaining('enough') } },
    ]);
  });
});

test('a worker that dies: nothing is heard of it; once the queue says that it ended, so is the job, and the next produce takes it over at once', async () => {
  const root = makeFolder();
  const queue = join(root, 'queue');
  mkdirSync(queue);
  const context = queueContext(root);
  const first = await startWorker(queue, root);
  const hang = await createJob('Mill', 'hang', {}, { context });
  const beats: number[] = [];
  const engine = queueEngine(queue);
  const counting: Engine = {
    name: 'queue',
    run: (path, options) =>
      engine.run(path, {
        ...options,
        heartbeat: () => {
          beats.push(1);
          options.heartbeat();
        },
      }),
  };
  const produced = produce([hang], { engine: counting });
  while (!(await hang.read()).running || beats.length < 3) await wait(5);
  first.kill('SIGKILL');
  await once(first, 'exit');
  expect(await hang.read()).toMatchObject({ status: 'start', running: false });
  await wait(100);
  const seen = beats.length;
  await wait(100);
  expect(beats.length).toBe(seen);
  writeFileSync(join(queue, '0001.ended'), '');
  expect(await produced).toMatchObject([
    { status: 'error', exception: { code: 'no_outcome', message: expect.stringContaining('Mill/hang/Default') } },
  ]);
  const second = new AbortController();
  const again = produce([hang], { signal: second.signal });
  while (!(await hang.read()).running) await wait(5);
  expect((await hang.read()).info.pid).toBe(process.pid);
  second.abort();
  expect(await again).toMatchObject([{ status: 'aborted' }]);
  await startWorker(queue, root);
  expect(await (await createJob('Mill', 'grind', { grams: 3 }, { context })).run({ engine })).toBe(3);
}, 60_000);

describe('a worker makes the same job of its record', () => {
  const named = z.object({ who: z.string().default('you'), size: z.number().default(1) });
  const tasks: Record<string, Task> = {
    mix: task({ input: z.object({ size: z.number().default(1) }), type: 'text', run: ({ size }) => `dough ${size}` }),
    greet: task({
      input: named,
      type: 'text',
      jobNameInput: 'who',
      needs: { mix: dependency('mix') },
      run: async (_, step) => `hello, ${await step.dependency('mix').load()}`,
    }),
    sea: task({
      type: 'text',
      needs: { greet: dependency('greet', { jobName: 'sea' }), mix: dependency('mix', { inputs: { size: 9 } }) },
      run: async (_, step) => `${await step.dependency('greet').load()}; ${await step.dependency('mix').load()}`,
    }),
  };

  test.each<[string, Record<string, unknown>, string?]>([
    ['greet', {}],
    ['greet', { who: 'Bob' }],
    ['greet', { who: 'Bob', size: 3 }, 'Default'],
    ['greet', { who: 'Bob' }, ''],
    ['greet', {}, 'a/../b'],
    ['sea', { who: 'Bob' }],
    ['sea', { size: 4 }, 'sunday'],
  ])('%s %j %s', async (name, inputs, jobName) => {
    const context = contextOf(tasks);
    const paths: string[] = [];
    const engine: Engine = {
      name: 'worker',
      run: async (path) => {
        paths.push(path);
        await runJobAt(path, context);
      },
    };
    const job = await createJob('Test', name, inputs, { context, jobName });
    const here = contextOf(tasks);
    const expected = await (await createJob('Test', name, inputs, { context: here, jobName })).run();
    expect(await job.run({ engine })).toBe(expected);
    expect(new Set(paths).size).toBe(paths.length);
    const recorded = JSON.parse(readFileSync(infoPath(job.path), 'utf8')).dependencies;
    expect(recorded).toEqual(
      Object.values(job.dependencies)
        .flat()
        .map(({ path }) => path),
    );
    expect(paths).toEqual(expect.arrayContaining(recorded));
  });
});
