import { hostname } from 'node:os';
import { join } from 'node:path';
import { command, createJob, defineWorkflow, task } from '@colophon/workflow';
import { nodeContext } from '@colophon/workflow/node';
import { describe, expect, test } from 'vitest';
import { makeFolder } from './support/folder.js';

describe('where jobs are', () => {
  test('new ones in the first root, finished ones in all', () => {
    const { jobs, jobRoots } = nodeContext({ roots: ['/a', '/b'] });
    expect({ jobs, jobRoots }).toEqual({ jobs: '/a/var/jobs', jobRoots: ['/b/var/jobs'] });
    const other = nodeContext({ roots: ['/a', '/b'], jobs: '/c/jobs' });
    expect(other).toMatchObject({ jobs: '/c/jobs', jobRoots: ['/a/var/jobs', '/b/var/jobs'] });
  });

  test.each(['', '/', '/../jobs'])('a folder that is written as "…/jobs%s" is the same folder', async (end) => {
    const Test = defineWorkflow({ name: 'Test', tasks: { go: task({ type: 'text', fresh: true, run: () => 'x' }) } });
    const folder = makeFolder();
    const context = nodeContext({ roots: [folder], jobs: `${folder}/jobs${end}`, workflows: { Test } });
    const job = await createJob('Test', 'go', {}, { context });
    expect(job.path).toBe(join(folder, 'jobs/Test/go/Default'));
    expect(await job.run()).toBe('x');
    expect(await job.run({ update: true })).toBe('x');
    await job.clean();
    expect((await job.read()).status).toBe('noinfo');
  });
});

test('workflows that are given come before those on disk', async () => {
  const source = (text: string) =>
    `export default { name: 'Mill', tasks: { go: { type: 'text', run: () => '${text}' } } };`;
  const root = makeFolder({ 'workflows/Mill/workflow.ts': source('one'), 'workflows/Test/workflow.ts': 'not read' });
  const Test = defineWorkflow({ name: 'Test', tasks: { go: task({ type: 'text', run: () => 'given' }) } });
  const context = nodeContext({ roots: [root], workflows: { Test } });
  const run = async (name: string, jobName: string) => (await createJob(name, 'go', {}, { context, jobName })).run();
  expect([await run('Test', 'a'), await run('Mill', 'a')]).toEqual(['given', 'one']);
  expect(await context.findWorkflow('toString')).toBeUndefined();
});

test('who runs: this process, on this host; a process of another user lives, too', () => {
  const { pid, host, isAlive, now, randomId } = nodeContext({ roots: ['/a'] });
  expect({ pid, host }).toEqual({ pid: process.pid, host: hostname() });
  expect([process.pid, process.ppid, 1, 2 ** 22 + 1].map(isAlive)).toEqual([true, true, true, false]);
  expect(Math.abs(now().getTime() - Date.now())).toBeLessThan(60_000);
  expect(new Set(Array.from({ length: 100 }, randomId)).size).toBe(100);
});

test('programs get of the environment what holds no keys, and what is passed on by name', async () => {
  const environment = {
    PATH: process.env['PATH'],
    LC_ALL: 'C',
    SOME_API_KEY: 'secret',
    OTHER_TOKEN: 'secret',
    WANTED: 'yes',
    NONE: undefined,
  };
  const context = nodeContext({ roots: [makeFolder()], environment, passOn: ['WANTED', 'NONE'] });
  const Print = defineWorkflow({ name: 'Print', tasks: { go: command({ type: 'text', script: 'env' }) } });
  const printed = String(await (await createJob(Print, 'go', {}, { context })).run());
  expect(printed).toMatch(/^WANTED=yes$/m);
  expect(printed).toMatch(/^LC_ALL=C$/m);
  expect(printed).not.toContain('secret');
});
