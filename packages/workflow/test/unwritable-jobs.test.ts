import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createJob, infoPath, jobPath, readJob, task } from '@colophon/workflow';
import { expect, test } from 'vitest';
import { makeFolder } from './support/folder.js';
import { contextOf } from './support/jobs.js';

const name = { workflow: 'Test', task: 'go', name: 'Default' };

test.each<[string, (jobs: string) => void, string]>([
  ['is a file', (jobs) => writeFileSync(jobs, ''), 'a part of its path is no folder'],
  ['is a link to nowhere', (jobs) => symlinkSync('/nowhere/at/all', jobs), 'a part of its path is no folder'],
  [
    'has a folder where the result belongs',
    (jobs) => mkdirSync(jobPath(jobs, name), { recursive: true }),
    'a folder stands where a file of it belongs',
  ],
  [
    'has a folder where the .info belongs',
    (jobs) => mkdirSync(infoPath(jobPath(jobs, name)), { recursive: true }),
    'a folder stands where a file of it belongs',
  ],
])('where the folder for jobs %s, a run says what and where', async (_, spoil, problem) => {
  const jobs = join(makeFolder(), 'jobs');
  spoil(jobs);
  const context = contextOf({ go: task({ type: 'text', run: () => 'done' }) }, { jobs });
  const job = await createJob('Test', 'go', {}, { context });
  const error = (await job.run().catch((thrown: unknown) => thrown)) as Error;
  expect(error).toMatchObject({ code: 'jobs_unwritable', message: expect.stringContaining(problem) });
  expect(error.message).toContain(jobs);
  expect((await readJob(job.path)).done).toBe(false);
});

test('what a task itself can not read or write elsewhere stays its own error', async () => {
  const folder = makeFolder({ file: '' });
  const run = () => writeFileSync(join(folder, 'file/below'), '');
  const job = await createJob('Test', 'go', {}, { context: contextOf({ go: task({ type: 'text', run }) }) });
  await expect(job.run()).rejects.toMatchObject({ code: 'ENOTDIR' });
  expect(dirname(job.path).startsWith(folder)).toBe(false);
});
