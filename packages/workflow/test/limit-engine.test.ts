import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createJob, defineWorkflow, type Engine, limitEngine, produce, task } from '@colophon/workflow';
import { nodeContext } from '@colophon/workflow/node';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';

const setUp = (engine: Engine) => {
  const root = mkdtempSync(join(tmpdir(), 'limit-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  let open = 0;
  const state = { most: 0 };
  const workflow = defineWorkflow({
    name: 'Gates',
    tasks: {
      pass: task({
        input: z.object({ n: z.number() }),
        type: 'integer',
        run: async ({ n }) => {
          state.most = Math.max(state.most, ++open);
          await new Promise((resolve) => setTimeout(resolve, 5));
          open--;
          return n;
        },
      }),
      nest: task({
        input: z.object({ n: z.number() }),
        type: 'integer',
        run: async ({ n }, step) => {
          if (n === 0) return 0;
          const below = await step.job('Gates', 'nest', { n: n - 1 });
          await produce([below], { engine });
          return 1 + ((await below.load()) as number);
        },
      }),
      fail: task({
        input: z.object({ n: z.number() }),
        type: 'text',
        run: async () => {
          throw new Error('no');
        },
      }),
      hang: task({ input: z.object({ n: z.number() }), type: 'text', run: () => new Promise(() => {}) }),
    },
  });
  const context = nodeContext({ roots: [root], workflows: { Gates: workflow } });
  const make = (name: string, n: number) => createJob('Gates', name, { n }, { context });
  return { make, state };
};

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

test('runs of any number of graphs share one limit', async () => {
  const engine = limitEngine(2);
  const { make, state } = setUp(engine);
  const jobs = await Promise.all(numbers(10).map((n) => make('pass', n)));
  const ended = await Promise.all(jobs.map((job) => produce([job], { engine })));
  expect(ended.flat().map(({ status }) => status)).toEqual(numbers(10).map(() => 'done'));
  expect(state.most).toBe(2);
});

test('a job that a running one waits for takes no place', async () => {
  const engine = limitEngine(1);
  const { make } = setUp(engine);
  const job = await make('nest', 5);
  await produce([job], { engine });
  expect(await job.load()).toBe(5);
});

test('failures and aborts give their places back', async () => {
  const engine = limitEngine(1);
  const { make } = setUp(engine);
  const failing = await Promise.all(numbers(3).map((n) => make('fail', n)));
  expect((await produce(failing, { engine })).map(({ status }) => status)).toEqual(['error', 'error', 'error']);
  const controller = new AbortController();
  const hanging = await Promise.all(numbers(3).map((n) => make('hang', n)));
  const stopped = produce(hanging, { engine, signal: controller.signal });
  // Any of them may be the first.
  const areRunning = async () => (await Promise.all(hanging.map((job) => job.read()))).map(({ running }) => running);
  await expect.poll(areRunning, { timeout: 20_000 }).toContain(true);
  controller.abort(new Error('enough'));
  expect((await stopped).map(({ status }) => status)).toEqual(['aborted', 'aborted', 'aborted']);
  const job = await make('pass', 1);
  expect((await produce([job], { engine }))[0]).toMatchObject({ status: 'done' });
});
