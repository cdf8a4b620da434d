import { rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createJob,
  defineWorkflow,
  dependency,
  executeTask,
  infoPath,
  type Job,
  type ProgressEvent,
  produce,
  task,
} from '@colophon/workflow';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { makeFolder } from './support/folder.js';
import { contextOf, namesOf } from './support/jobs.js';

/** Tasks that count their runs. */
const counted = () => {
  const runs: string[] = [];
  const ran =
    <Value>(value: (step: { inputs: Record<string, unknown> }) => Value) =>
    (_: unknown, step: { task: string; name: string; inputs: Record<string, unknown> }): Value => {
      runs.push(step.task);
      return value(step);
    };
  return { runs, ran };
};

const kinds = (events: ProgressEvent[]): string[] => events.map(({ kind, job }) => `${kind} ${job.task}`);

describe('making a graph', () => {
  test('a diamond is one job, whether an input is inherited, fixed or a default', async () => {
    const context = contextOf({
      flour: task({ input: z.object({ grams: z.number().default(500) }), type: 'integer', run: ({ grams }) => grams }),
      dough: task({ type: 'text', needs: { flour: dependency('flour') }, run: () => '' }),
      sauce: task({ type: 'text', needs: { flour: dependency('flour', { inputs: { grams: 300 } }) }, run: () => '' }),
      cream: task({ type: 'text', needs: { flour: dependency('flour', { inputs: { grams: 500 } }) }, run: () => '' }),
      meal: task({
        type: 'text',
        needs: { dough: dependency('dough'), sauce: dependency('sauce'), cream: dependency('cream') },
        run: () => '',
      }),
    });
    const meal = await createJob('Test', 'meal', { grams: 300 }, { context });
    const flourOf = (job: Job, name: string) => (job.dependencies[name] as Job).dependencies['flour'];
    expect(flourOf(meal, 'dough')).toBe(flourOf(meal, 'sauce'));
    expect(flourOf(meal, 'cream')).not.toBe(flourOf(meal, 'dough'));
    const plain = await createJob('Test', 'meal', {}, { context });
    expect(flourOf(plain, 'cream')).toBe(flourOf(plain, 'dough'));
    expect((flourOf(plain, 'cream') as Job).name).toBe('Default');
  });

  test('the job name is inherited unless it is fixed; another workflow is found', async () => {
    const Mill = defineWorkflow({ name: 'Mill', tasks: { grind: task({ type: 'text', run: () => 'flour' }) } });
    const context = contextOf(
      {
        bake: task({
          type: 'text',
          needs: { flour: dependency('grind', { workflow: 'Mill' }), salt: dependency('salt', { jobName: 'sea' }) },
          run: async (_, step) => `bread of ${await step.dependency('flour').load()}`,
        }),
        salt: task({ type: 'text', run: () => 'salt' }),
      },
      { workflows: { Mill } },
    );
    const job = await createJob('Test', 'bake', {}, { context, jobName: 'sunday' });
    expect([job, ...Object.values(job.dependencies).flat()].map(({ shortPath }) => shortPath)).toEqual([
      'Test/bake/sunday',
      'Mill/grind/sunday',
      'Test/salt/sea',
    ]);
    expect(await job.run()).toBe('bread of flour');
  });

  test('a function that gives a list makes a job of each element', async () => {
    const context = contextOf({
      square: task({ input: z.object({ n: z.number() }), type: 'integer', run: ({ n }) => n * n }),
      sum: task({
        input: z.object({ to: z.number() }),
        type: 'integer',
        needs: {
          squares: dependency('square', {
            inputs: ({ to }) => Array.from({ length: to as number }, (_, n) => ({ n })),
          }),
        },
        run: async (_, step) => {
          const values = await Promise.all(step.dependencyList('squares').map((job) => job.load()));
          return (values as number[]).reduce((sum, value) => sum + value, 0);
        },
      }),
    });
    expect(await (await createJob('Test', 'sum', { to: 5 }, { context })).run()).toBe(30);
  });

  test('workflows that need each other: the circle is named', async () => {
    const Egg = defineWorkflow({
      name: 'Egg',
      tasks: { lay: task({ type: 'text', needs: { hen: dependency('hatch', { workflow: 'Test' }) }, run: () => '' }) },
    });
    const context = contextOf(
      { hatch: task({ type: 'text', needs: { egg: dependency('lay', { workflow: 'Egg' }) }, run: () => '' }) },
      { workflows: { Egg } },
    );
    await expect(createJob('Test', 'hatch', {}, { context })).rejects.toMatchObject({
      code: 'dependency_cycle',
      message: expect.stringMatching(/Test hatch.*Egg lay.*Test hatch/),
    });
  });

  test.each([
    ['an unknown workflow', 'Nowhere', 'go', 'unknown_workflow'],
    ['an unknown task', 'Test', 'go', 'unknown_task'],
  ])('%s', async (_, workflow, name, code) => {
    const context = contextOf({ stay: task({ type: 'text', run: () => '' }) });
    await expect(createJob(workflow, name, {}, { context })).rejects.toMatchObject({ code });
  });
});

describe('what runs', () => {
  const chain = () => {
    const { runs, ran } = counted();
    const context = contextOf({
      mix: task({ type: 'text', run: ran(() => 'dough') }),
      bake: task({ type: 'text', needs: { dough: dependency('mix') }, run: ran(() => 'bread') }),
      look: task({ type: 'text', fresh: true, needs: { bread: dependency('bake') }, run: ran(() => 'brown') }),
    });
    return { runs, context };
  };

  test('dependencies first, each once; what is done is reused, a fresh task never', async () => {
    const { runs, context } = chain();
    const events: ProgressEvent[] = [];
    const look = await createJob('Test', 'look', {}, { context });
    await produce([look, look], { onProgress: (event) => events.push(event) });
    expect(runs).toEqual(['mix', 'bake', 'look']);
    expect(kinds(events)).toEqual(['start mix', 'done mix', 'start bake', 'done bake', 'start look', 'done look']);
    const again = await produce([await createJob('Test', 'look', {}, { context })]);
    expect(again).toMatchObject([{ status: 'done', reused: false }]);
    expect(runs).toEqual(['mix', 'bake', 'look', 'look']);
    expect(await produce([await createJob('Test', 'bake', {}, { context })])).toMatchObject([{ reused: true }]);
  });

  test('what a finished job needs is not looked at', async () => {
    const { runs, context } = chain();
    const bake = await createJob('Test', 'bake', {}, { context });
    await bake.run();
    await (bake.dependencies['dough'] as Job).clean();
    expect(await bake.run()).toBe('bread');
    expect(runs).toEqual(['mix', 'bake']);
  });

  test('update runs what is asked for again', async () => {
    const { runs, context } = chain();
    const bake = await createJob('Test', 'bake', {}, { context });
    await bake.run();
    await bake.run({ update: true });
    expect(runs).toEqual(['mix', 'bake', 'bake']);
  });

  test('a result without .info is done; .info that says done without a result is not; a corrupt one disturbs nothing', async () => {
    const { runs, context } = chain();
    const bake = await createJob('Test', 'bake', {}, { context });
    await bake.run();
    rmSync(infoPath(bake.path));
    await bake.run();
    expect(runs).toEqual(['mix', 'bake']);
    const mix = bake.dependencies['dough'] as Job;
    rmSync(mix.path);
    await mix.run();
    writeFileSync(infoPath(mix.path), '{"status":"sta');
    rmSync(mix.path);
    await mix.run();
    expect(runs).toEqual(['mix', 'bake', 'mix', 'mix']);
    expect(await mix.read()).toMatchObject({ status: 'done', done: true, warnings: [] });
  });

  test('a finished job of another root is found, and never written to', async () => {
    const root = makeFolder();
    const { runs, ran } = counted();
    const tasks = {
      mix: task({ type: 'text', run: ran(() => 'dough') }),
      look: task({ type: 'text', fresh: true, run: ran(() => 'seen') }),
    };
    const there = contextOf(tasks, { roots: [root] });
    await (await createJob('Test', 'mix', {}, { context: there })).run();
    await (await createJob('Test', 'look', {}, { context: there })).run();
    const here = contextOf(tasks, { roots: [makeFolder(), root] });
    const mix = await createJob('Test', 'mix', {}, { context: here });
    expect(mix.path).toBe(join(root, 'var/jobs/Test/mix/Default'));
    expect(await mix.run()).toBe('dough');
    expect(runs).toEqual(['mix', 'look']);
    await expect(mix.clean()).rejects.toMatchObject({ code: 'outside_jobs' });
    await expect(mix.run({ update: true })).rejects.toMatchObject({ code: 'outside_jobs' });
    const look = await createJob('Test', 'look', {}, { context: here });
    await look.run();
    expect(look.path).toContain(here.jobs);
    expect(statSync(mix.path).isFile()).toBe(true);
  });

  test('as many run at a time as may, and no more', async () => {
    let most = 0;
    let waiting: (() => void)[] = [];
    const context = contextOf({
      wait: task({
        input: z.object({ n: z.number() }),
        type: 'text',
        // Each waits until three are there.
        run: () =>
          new Promise<string>((resolve) => {
            most = Math.max(
              most,
              waiting.push(() => resolve('')),
            );
            if (waiting.length < 3) return;
            const all = waiting;
            setTimeout(() => {
              for (const go of all) go();
            });
            waiting = [];
          }),
      }),
    });
    const jobs = await Promise.all(Array.from({ length: 21 }, (_, n) => createJob('Test', 'wait', { n }, { context })));
    const produced = await produce(jobs, { concurrency: 3 });
    expect(new Set(produced.map(({ status }) => status))).toEqual(new Set(['done']));
    expect(most).toBe(3);
  });
});

describe('what fails', () => {
  const failing = () => {
    const state = { broken: true };
    const { runs, ran } = counted();
    const context = contextOf({
      oven: task({
        type: 'text',
        run: ran(() => {
          if (state.broken) throw new Error('no fire', { cause: new TypeError('no wood') });
          return 'hot';
        }),
      }),
      bake: task({ type: 'text', needs: { oven: dependency('oven') }, run: ran(() => 'bread') }),
      serve: task({ type: 'text', needs: { bread: dependency('bake') }, run: ran(() => 'meal') }),
      salad: task({ type: 'text', run: ran(() => 'salad') }),
      lunch: task({
        type: 'text',
        needs: { meal: dependency('serve', { allowFailure: true }), salad: dependency('salad') },
        run: ran(() => 'lunch'),
      }),
    });
    return { state, runs, context };
  };

  test('it fails what needs it with its name, and others go on; the next produce runs it again', async () => {
    const { state, runs, context } = failing();
    const [serve, salad] = [
      await createJob('Test', 'serve', {}, { context }),
      await createJob('Test', 'salad', {}, { context }),
    ];
    const events: ProgressEvent[] = [];
    const produced = await produce([serve, salad], { onProgress: (event) => events.push(event) });
    expect(produced.map(({ status }) => status)).toEqual(['error', 'done']);
    expect(runs.sort()).toEqual(['oven', 'salad']);
    expect(kinds(events)).toContain('error serve');
    const { status, exception, messages } = await serve.read();
    expect(status).toBe('error');
    expect(exception).toMatchObject({
      code: 'dependency_failed',
      message: expect.stringMatching(
        /^Test\/serve\/Default was not run, since Test\/bake\/Default failed: .*Test\/oven/,
      ),
      cause: {
        code: 'dependency_failed',
        cause: { message: 'no fire', cause: { name: 'TypeError', message: 'no wood' } },
      },
    });
    expect(messages[0]).toContain('Test/bake/Default failed');
    await expect(serve.run()).rejects.toMatchObject({
      code: 'dependency_failed',
      cause: { cause: { message: 'no fire', cause: { name: 'TypeError' } } },
    });
    state.broken = false;
    expect(await serve.run()).toBe('meal');
    expect((await serve.read()).exception).toBeUndefined();
    expect((await serve.read()).info['backtrace']).toBeUndefined();
  });

  test('allowFailure: it runs all the same, also where the failed job was made by another call', async () => {
    const { context } = failing();
    const other = await createJob('Test', 'serve', {}, { context });
    const lunch = await createJob('Test', 'lunch', {}, { context });
    const produced = await produce([other, lunch]);
    expect(produced.map(({ status }) => status)).toEqual(['error', 'done']);
    expect(await executeTask('Test', 'lunch', {}, { context })).toBe('lunch');
    expect(namesOf(context, 'lunch')).toEqual(['Default', 'Default.info']);
  });

  test('wrong use is told', async () => {
    const { context } = failing();
    const job = await createJob('Test', 'salad', {}, { context });
    await expect(produce([{ ...job, plan: undefined } as never, {} as Job])).rejects.toMatchObject({
      code: 'foreign_job',
    });
    for (const concurrency of [0, Number.NaN, -1])
      await expect(produce([job], { concurrency })).rejects.toMatchObject({ code: 'bad_option' });
  });
});

test('executing a task keeps no job of it, and its dependencies as jobs', async () => {
  const context = contextOf({
    mix: task({ type: 'text', run: () => 'dough' }),
    bake: task({
      type: 'json',
      needs: { dough: dependency('mix') },
      run: async (_, step) => {
        writeFileSync(await step.file('a.txt'), 'x');
        return { of: await step.dependency('dough').load() };
      },
    }),
    fail: task({ type: 'text', run: () => Promise.reject(new RangeError('too hot')) }),
  });
  expect(await executeTask('Test', 'bake', {}, { context })).toEqual({ of: 'dough' });
  await expect(executeTask('Test', 'fail', {}, { context })).rejects.toBeInstanceOf(RangeError);
  expect(namesOf(context, '.')).toEqual(['mix']);
  expect(namesOf(context, '..').filter((name) => name.startsWith('.'))).toEqual([]);
});
