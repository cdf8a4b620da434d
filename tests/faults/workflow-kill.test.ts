import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createJob, infoPath, type Job, lockStale, type ProgressEvent, parseInfo, produce } from '@colophon/workflow';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { times } from './scale.js';
import { graphContext, size } from './workflow/graph.js';

const child = fileURLToPath(new URL('workflow/produce-graph.ts', import.meta.url));
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'workflow-kill-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the graph in a process of its own, which is killed so many milliseconds after it has begun; its exit code, null if it was killed. */
const run = async (root: string, killAfter?: number): Promise<number | null> => {
  const runner = spawn(process.execPath, ['--import', 'tsx', '-C', 'colophon-source', child, root], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exit = once(runner, 'exit');
  await Promise.race([once(runner.stdout, 'data'), exit]);
  const timer = killAfter === undefined ? undefined : setTimeout(() => runner.kill('SIGKILL'), killAfter);
  const [code] = await exit;
  clearTimeout(timer);
  return code;
};

const allOf = (job: Job, found = new Map<string, Job>()): Map<string, Job> => {
  if (found.has(job.path)) return found;
  found.set(job.path, job);
  for (const needed of Object.values(job.dependencies).flat()) allOf(needed, found);
  return found;
};

const linesOf = async (root: string): Promise<string[]> =>
  (await readFile(join(root, 'log'), 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');

const begun = (lines: readonly string[]): string[] =>
  lines.filter((line) => line.endsWith(' begins')).map((line) => line.split(' ')[1]!);

const hiddenIn = async (root: string): Promise<string[]> =>
  (await readdir(join(root, 'var/jobs'), { recursive: true })).filter((name) => /(^|\/)\./.test(name));

test(`the runner of a graph of ${size} jobs is killed at a random moment, ${times(100)} times`, async () => {
  const whole = join(folder, 'whole');
  const start = performance.now();
  expect(await run(whole)).toBe(0);
  const duration = performance.now() - start;
  const wholeLast = await createJob('Graph', 'last', {}, { context: graphContext(whole) });
  const expected = new Map<string, unknown>();
  for (const job of allOf(wholeLast).values()) expected.set(job.shortPath, await job.load());
  expect(begun(await linesOf(whole))).toHaveLength(size);

  let inTheMiddle = 0;
  for (let round = 0; round < times(100); round++) {
    const root = join(folder, String(round));
    const context = graphContext(root);
    const last = await createJob('Graph', 'last', {}, { context });
    const jobs = [...allOf(last).values()];
    expect(jobs).toHaveLength(size);
    // Killed up to three times before it is let be.
    for (let kill = 0; kill <= round % 3; kill++) {
      await run(root, (Math.random() * duration) / 3);
      const lines = await linesOf(root);
      for (const job of jobs) {
        const { done, status, info, warnings } = await job.read();
        expect(warnings.filter(({ code }) => code.startsWith('info'))).toEqual([]);
        // What says that it is done has a result; what has a result is whole.
        if (status === 'done') expect(done).toBe(true);
        if (done) expect(await job.load()).toEqual(expected.get(job.shortPath));
        if (done) expect(['done', 'start', 'streaming'], JSON.stringify(info)).toContain(status);
      }
      const finished = await Promise.all(jobs.map(async (job) => (await job.read()).done));
      const count = finished.filter(Boolean).length;
      if (count > 0 && count < size) inTheMiddle += 1;
      expect(new Set(begun(lines)).size).toBeGreaterThanOrEqual(count);
    }
    const recorded = new Set<string>();
    for (const job of jobs) if ((await job.read()).done) recorded.add(job.shortPath);
    const before = (await linesOf(root)).length;
    const events: ProgressEvent[] = [];
    const started = performance.now();
    const produced = await produce([last], { onProgress: (event) => events.push(event) });
    expect(produced, JSON.stringify(produced)).toMatchObject([{ status: 'done' }]);
    // No lock kept it longer than a lock of a dead process may.
    expect(performance.now() - started).toBeLessThan(duration + lockStale + 20_000);
    for (const job of jobs) expect(await job.load()).toEqual(expected.get(job.shortPath));
    const ran = begun((await linesOf(root)).slice(before));
    expect(new Set(ran).size, 'jobs that ran twice').toBe(ran.length);
    expect(
      ran.filter((path) => recorded.has(path)),
      'jobs that were done and ran again',
    ).toEqual([]);
    for (const job of jobs) {
      if (!ran.includes(job.shortPath)) continue;
      const { info, warnings } = parseInfo(await readFile(infoPath(job.path)));
      expect({ status: info.status, warnings }).toEqual({ status: 'done', warnings: [] });
    }
    // A job that was done when the runner died, and is never touched again, may keep what it had beside it.
    const left = await hiddenIn(root);
    const untouched = [...recorded].map((path) => path.split('/'));
    expect(
      left.filter((name) => !untouched.some(([, task, base]) => name.startsWith(`Graph/${task}/.${base}.`))),
    ).toEqual([]);
    await rm(root, { recursive: true });
  }
  expect(inTheMiddle).toBeGreaterThan(times(100) / 4);
});

test(`two processes produce one graph, ${times(20)} times: each job runs once`, async () => {
  for (let round = 0; round < times(20); round++) {
    const root = join(folder, `two-${round}`);
    expect(await Promise.all([run(root), run(root)])).toEqual([0, 0]);
    const ran = begun(await linesOf(root));
    expect(ran.length).toBe(size);
    expect(new Set(ran).size).toBe(size);
    expect(await hiddenIn(root)).toEqual([]);
  }
});
