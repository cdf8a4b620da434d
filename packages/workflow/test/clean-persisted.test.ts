import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanPersisted, createJob, defineWorkflow, produce, task } from '@colophon/workflow';
import { nodeContext } from '@colophon/workflow/node';
import { expect, onTestFinished, test } from 'vitest';

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'clean-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

let finish: () => void = () => {};

const workflow = defineWorkflow({
  name: 'Kitchen',
  tasks: {
    mix: task({
      type: 'text',
      run: async (_, step) => {
        await step.file('note.txt').then((path) => writeFileSync(path, 'a'));
        return 'dough';
      },
    }),
    rise: task({
      type: 'text',
      run: () =>
        new Promise((resolve) => {
          finish = () => resolve('risen');
        }),
    }),
  },
});

test('a job is removed by its path, with its record and files', async () => {
  const context = nodeContext({ roots: [folder()], workflows: { Kitchen: workflow } });
  const job = await createJob('Kitchen', 'mix', {}, { context });
  await produce([job]);
  const beside = join(context.jobs, 'Kitchen/mix/Other');
  mkdirSync(join(context.jobs, 'Kitchen/mix'), { recursive: true });
  writeFileSync(beside, 'x');
  await cleanPersisted(job.path, context);
  expect(readdirSync(join(context.jobs, 'Kitchen/mix'))).toEqual(['Other']);
  await cleanPersisted(job.path, context);
});

test('one that runs is left alone', async () => {
  const context = nodeContext({ roots: [folder()], workflows: { Kitchen: workflow } });
  const job = await createJob('Kitchen', 'rise', {}, { context });
  const running = produce([job]);
  await expect.poll(async () => (await job.read()).running).toBe(true);
  await expect(cleanPersisted(job.path, context)).rejects.toMatchObject({ code: 'job_running' });
  finish();
  await running;
  expect(existsSync(job.path)).toBe(true);
});
