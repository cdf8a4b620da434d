import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createJob, dependency, executeTask, type JobProgress, type Step, task } from '@colophon/workflow';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { contextOf, namesOf } from './support/jobs.js';

const hiddenIn = (jobs: string): string[] =>
  readdirSync(jobs, { recursive: true })
    .map(String)
    .filter((name) => /(^|\/)\./.test(name));

test('what the task gets is a step; what is given goes through the type', async () => {
  const progress: JobProgress[] = [];
  let seen: Partial<Step> = {};
  const context = contextOf({
    go: task({
      input: z.object({ n: z.number().default(2) }),
      type: 'json',
      run: async ({ n }, step) => {
        const { path: _, ...rest } = step;
        seen = rest;
        step.progress({ done: 1 });
        await step.log('a line');
        return { n };
      },
    }),
  });
  expect(await executeTask('Test', 'go', {}, { context, onProgress: (one) => progress.push(one) })).toEqual({ n: 2 });
  expect(seen).toMatchObject({
    shortPath: 'Test/go/Default.json',
    workflow: 'Test',
    task: 'go',
    name: 'Default.json',
    inputs: { n: 2 },
  });
  expect(progress).toEqual([{ done: 1 }]);
  expect(readdirSync(context.jobs)).toEqual([]);
});

test('each call runs it, also where a job of it is done; what it needs is reused', async () => {
  const runs: string[] = [];
  const context = contextOf({
    mix: task({ type: 'text', run: () => `dough ${runs.push('mix')}` }),
    bake: task({
      type: 'text',
      needs: { dough: dependency('mix') },
      run: async (_, step) => `bread ${runs.push('bake')} of ${await step.dependency('dough').load()}`,
    }),
  });
  await (await createJob('Test', 'bake', {}, { context })).run();
  expect(await executeTask('Test', 'bake', {}, { context })).toBe('bread 3 of dough 1');
  expect(runs).toEqual(['mix', 'bake', 'bake']);
  expect(namesOf(context, 'bake')).toEqual(['Default', 'Default.info']);
});

test('failures: of the task as they are, of what it needs by name, of the type', async () => {
  const context = contextOf({
    fire: task({ type: 'text', run: () => Promise.reject(new TypeError('no wood')) }),
    bake: task({ type: 'text', needs: { fire: dependency('fire') }, run: () => 'bread' }),
    wrong: task({ type: 'integer', run: () => 'seven' as never }),
    nothing: task({ type: 'text', run: () => undefined as never }),
  });
  const run = (name: string) => executeTask('Test', name, {}, { context });
  await expect(run('fire')).rejects.toBeInstanceOf(TypeError);
  await expect(run('bake')).rejects.toMatchObject({
    code: 'dependency_failed',
    message: 'Test/bake/Default was not run, since Test/fire/Default failed: no wood',
    cause: { name: 'TypeError' },
  });
  await expect(run('wrong')).rejects.toMatchObject({ code: 'wrong_type' });
  await expect(run('nothing')).rejects.toMatchObject({ code: 'nothing_returned' });
  expect(hiddenIn(context.jobs)).toEqual([]);
});

test('the signal stops it, and what it needs: it is aborted either way', async () => {
  const hang = () => new Promise<never>(() => undefined);
  const context = contextOf({
    hang: task({ type: 'text', run: hang }),
    bake: task({ type: 'text', needs: { hang: dependency('hang') }, run: () => 'bread' }),
  });
  for (const name of ['hang', 'bake'])
    await expect(executeTask('Test', name, {}, { context, signal: AbortSignal.timeout(30) })).rejects.toMatchObject({
      code: 'aborted',
      message: expect.stringMatching(new RegExp(`^Test/${name}/Default was aborted: .*timeout`)),
    });
  expect(hiddenIn(context.jobs)).toEqual([]);
});

test('a task that executes itself is told', async () => {
  const context = contextOf({
    go: task({ type: 'text', run: async (_, step) => String(await (await step.job('Test', 'go')).run()) }),
  });
  await expect(executeTask('Test', 'go', {}, { context })).rejects.toMatchObject({ code: 'recursive_job' });
});

test('what a killed process left of one is removed by the next', async () => {
  const context = contextOf({ go: task({ type: 'text', run: () => 'x' }) });
  const left = join(context.jobs, `.execute-${2 ** 22 + 1}-${context.host}-0a1b`);
  const running = join(context.jobs, `.execute-${process.ppid}-${context.host}-0a1b`);
  const elsewhere = join(context.jobs, '.execute-1-elsewhere-0a1b');
  for (const folder of [left, running, elsewhere]) mkdirSync(folder, { recursive: true });
  expect(await executeTask('Test', 'go', {}, { context })).toBe('x');
  expect(readdirSync(context.jobs).sort()).toEqual(
    [running, elsewhere].map((path) => path.slice(context.jobs.length + 1)).sort(),
  );
});
