import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createJob,
  defineWorkflow,
  dependency,
  infoPath,
  type Job,
  produce,
  type Task,
  task,
} from '@colophon/workflow';
import { nodeContext } from '@colophon/workflow/node';
import { z } from 'zod';

export const name = 'workflow';

type Result = { what: string; ratio: number; limit: number | null; detail: string };

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

const timed = async (action: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await action();
  return performance.now() - start;
};

/** Milliseconds that this process has worked. */
const work = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const count = (length: number): number[] => Array.from({ length }, (_, index) => index);

const single = defineWorkflow({
  name: 'Single',
  tasks: { empty: task({ input: z.object({ number: z.number() }), type: 'text', run: () => '' }) },
});

const width = 50;

/** Rows of 50 jobs; each job needs four of the row before it. The last task needs all of the last row. */
const lattice = (rows: number) => {
  const tasks: Record<string, Task> = {};
  for (const row of count(rows))
    tasks[`row_${row}`] = task({
      input: z.object({ column: z.number() }),
      type: 'text',
      ...(row === 0
        ? {}
        : {
            needs: {
              above: dependency(`row_${row - 1}`, {
                inputs: ({ column }) => count(4).map((step) => ({ column: ((column as number) + step) % width })),
              }),
            },
          }),
      run: () => '',
    });
  const all = dependency(`row_${rows - 1}`, { inputs: () => count(width).map((column) => ({ column })) });
  return defineWorkflow({
    name: 'Lattice',
    tasks: { ...tasks, last: task({ type: 'text', needs: { all }, run: () => '' }) },
  });
};

const us = (milliseconds: number, many: number): string => `${((milliseconds * 1000) / many).toFixed(0)} µs`;

/** One job after the other, beside writing what it writes: its `.info` at the start and at the end, and its result. */
const overhead = async (folder: string): Promise<Result> => {
  const context = nodeContext({ roots: [folder], workflows: { Single: single } });
  const first = await createJob('Single', 'empty', { number: -1 }, { context });
  await first.run();
  const info = await readFile(infoPath(first.path), 'utf8');
  const bare = join(folder, 'bare');
  await mkdir(bare);
  const many = 200;
  const ratios: number[] = [];
  const times: [number, number][] = [];
  for (const round of count(9)) {
    const ours = await timed(async () => {
      for (const index of count(many)) {
        const job = await createJob('Single', 'empty', { number: round * many + index }, { context });
        await produce([job]);
      }
    });
    const files = await timed(async () => {
      for (const index of count(many)) {
        const path = join(bare, `${round}_${index}`);
        await writeFile(`${path}.start`, info);
        await writeFile(path, '');
        await writeFile(`${path}.end`, info);
      }
    });
    ratios.push(ours / files);
    times.push([ours, files]);
  }
  const [ours, files] = times[ratios.indexOf(median(ratios))]!;
  return {
    what: 'a job with an empty task, beside writing its three files',
    ratio: median(ratios),
    limit: 5,
    detail: `${us(ours, many)} to ${us(files, many)}`,
  };
};

/** Jobs that are all done are looked at, beside the same looks. */
const reuse = async (folder: string): Promise<Result> => {
  const context = nodeContext({ roots: [folder], workflows: { Single: single } });
  const many = 10_000;
  const jobs: Job[] = [];
  for (const number of count(many)) jobs.push(await createJob('Single', 'empty', { number }, { context }));
  await mkdir(join(folder, 'var/jobs/Single/empty'), { recursive: true });
  for (const { path } of jobs) await writeFile(path, '');
  const ratios: number[] = [];
  let detail = '';
  for (const _ of count(7)) {
    const ours = await timed(async () => {
      const produced = await produce(jobs);
      if (!produced.every(({ reused }) => reused)) throw new Error('a finished job was run');
    });
    const looks = await timed(() => Promise.all(jobs.map(({ path }) => stat(path))));
    ratios.push(ours / looks);
    detail = `${us(ours, many)} to ${us(looks, many)} a job`;
  }
  return { what: '10,000 finished jobs, beside as many fs.promises.stat', ratio: median(ratios), limit: 3, detail };
};

/** What a job of a whole graph takes: of 2,000 jobs beside 500. Looking for what is ready again and again would make it grow. */
const graph = async (folder: string): Promise<Result[]> => {
  type Times = { made: number; produced: number };
  const one = async (jobs: number, name: string): Promise<Times> => {
    const workflow = lattice(jobs / width);
    const context = nodeContext({ roots: [join(folder, name)], workflows: { Lattice: workflow } });
    const before = work();
    const last = await createJob('Lattice', 'last', {}, { context });
    const made = work() - before;
    let ran = 0;
    const produced = await timed(() =>
      produce([last], {
        concurrency: 4,
        onProgress: ({ kind }) => {
          ran += kind === 'done' ? 1 : 0;
        },
      }),
    );
    if (ran !== jobs + 1) throw new Error(`${ran} of ${jobs + 1} jobs ran`);
    return { made: made / jobs, produced: produced / jobs };
  };
  await one(2_000, 'warm');
  const rounds: { small: Times; large: Times }[] = [];
  for (const round of count(3))
    rounds.push({ small: await one(500, `small_${round}`), large: await one(2_000, `large_${round}`) });
  const pair = (key: 'made' | 'produced') => {
    const ratios = rounds.map(({ small, large }) => large[key] / small[key]);
    const { small, large } = rounds[ratios.indexOf(median(ratios))]!;
    return { ratio: median(ratios), detail: `${us(large[key], 1)} to ${us(small[key], 1)} a job` };
  };
  return [
    { what: 'making 2,000 jobs with 4 dependencies each, a job beside one of 500', limit: 1.5, ...pair('made') },
    { what: 'producing them, a job beside one of 500', limit: 1.5, ...pair('produced') },
  ];
};

/** What running jobs costs beside the files that they are. */
export const run = async (): Promise<Result[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-workflow-'));
  try {
    const results: Result[] = [];
    for (const [index, measure] of [overhead, reuse, graph].entries()) {
      const own = join(folder, String(index));
      await mkdir(own);
      results.push(...[await measure(own)].flat());
    }
    return results;
  } finally {
    rmSync(folder, { recursive: true });
  }
};
