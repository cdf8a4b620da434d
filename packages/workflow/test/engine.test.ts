import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createJob, type Engine, type Job, type ProgressEvent, produce, runJobAt, task } from '@colophon/workflow';
import { describe, expect, onTestFinished, test } from 'vitest';
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

const setUp = () => {
  const root = makeFolder();
  const queue = join(root, 'queue');
  mkdirSync(queue);
  const context = queueContext(root);
  return { root, queue, context, engine: queueEngine(queue) };
};

describe('a queue with workers in other processes', () => {
  test('runs the jobs of a graph there, each once; a failure is told, a job that is stopped is cancelled', async () => {
    const { root, queue, context, engine } = setUp();
    const workers = [await startWorker(queue, root), await startWorker(queue, root)];
    const mix = await createJob('Mill', 'mix', { grams: 500 }, { context, jobName: 'sunday' });
    const events: ProgressEvent[] = [];
    expect(await mix.run({ engine, onProgress: (event) => events.push(event) })).toEqual([500, 7]);
    const lines = readFileSync(join(root, 'log'), 'utf8').trim().split('\n');
    const pids = workers.map(({ pid }) => String(pid));
    expect(lines.every((line) => pids.includes(line.split(' ')[0]!))).toBe(true);
    expect(lines).toHaveLength(3);
    expect(await mix.read()).toMatchObject({
      status: 'done',
      messages: ['mixing'],
      inputs: { grams: 500, coarse: false },
    });
    expect(events.filter(({ kind }) => kind === 'done')).toHaveLength(3);

    await mix.run({ engine, update: true });
    expect(readFileSync(join(root, 'log'), 'utf8').trim().split('\n')).toHaveLength(4);

    const fail = await createJob('Mill', 'fail', {}, { context });
    await expect(fail.run({ engine })).rejects.toMatchObject({ name: 'TypeError', message: 'no grain' });

    const controller = new AbortController();
    const hang = await createJob('Mill', 'hang', {}, { context });
    const stopped = produce([hang], { engine, signal: controller.signal });
    while (!(await hang.read()).running) await wait(5);
    expect(pids).toContain(String((await hang.read()).info.pid));
    controller.abort(new Error('too long'));
    expect(await stopped).toMatchObject([{ status: 'aborted' }]);
    expect(await hang.read()).toMatchObject({ status: 'aborted', running: false });
    expect(
      (readdirSync(context.jobs, { recursive: true }) as string[]).filter((name) => /(^|\/)\./.test(name)),
    ).toEqual([]);
  }, 60_000);

  test('a job that waits in the queue says so, and can be stopped there', async () => {
    const { root, queue, context, engine } = setUp();
    const job = await createJob('Mill', 'grind', { grams: 1 }, { context });
    const produced = produce([job], { engine });
    while ((await job.read()).status !== 'queued') await wait(5);
    await job.abort('not today');
    expect(await job.read()).toMatchObject({ status: 'aborted' });
    await startWorker(queue, root);
    expect(await produced).toMatchObject([
      { status: 'aborted', exception: { message: expect.stringContaining('not today') } },
    ]);
    expect(await job.run()).toBe(1);
  }, 60_000);
});

describe('other engines', () => {
  const jobOf = async (): Promise<Job> => {
    const context = contextOf({ go: task({ type: 'text', run: () => 'ran' }) });
    return createJob('Test', 'go', {}, { context });
  };
  const engineOf = (run: Engine['run']): Engine => ({ name: 'odd', run });

  test('one that does the work here', async () => {
    const job = await jobOf();
    const paths: string[] = [];
    const engine = engineOf((path, { work }) => {
      paths.push(path);
      return work();
    });
    expect(await produce([job], { engine })).toMatchObject([{ status: 'done', reused: false }]);
    expect(await produce([job], { engine })).toMatchObject([{ status: 'done', reused: true }]);
    expect(await produce([job], { engine, update: true })).toMatchObject([{ status: 'done', reused: false }]);
    expect(paths).toEqual([job.path, job.path]);
  });

  test('one that ends without a result, and one that breaks', async () => {
    const job = await jobOf();
    expect(await produce([job], { engine: engineOf(async () => undefined) })).toMatchObject([
      { status: 'error', exception: { code: 'no_outcome' } },
    ]);
    const broken = engineOf(() => Promise.reject(new Error('queue is gone')));
    expect(await produce([job], { engine: broken })).toMatchObject([
      { status: 'error', exception: { message: 'queue is gone' } },
    ]);
    expect(await job.run()).toBe('ran');
  });
});

test('a worker is told what it can not run', async () => {
  const context = contextOf({ go: task({ type: 'text', run: () => 'ran' }) });
  await expect(runJobAt(join(context.jobs, 'Test/go/Default'), context)).rejects.toMatchObject({ code: 'no_such_job' });
});
