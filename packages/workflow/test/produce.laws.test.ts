import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createJob,
  defineWorkflow,
  dependency,
  type Job,
  type ProgressEvent,
  produce,
  type Task,
  task,
} from '@colophon/workflow';
import { nodeContext } from '@colophon/workflow/node';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

// Each run makes a graph of jobs on disk.
const runs = process.env['COLOPHON_FUZZ'] === 'full' ? 2_000 : 100;
const tested = { numRuns: runs, interruptAfterTimeLimit: 25_000, markInterruptAsFailure: false };

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'workflow-laws-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A task of a random graph: which of the earlier ones it needs, which of these may fail, and whether it fails itself. */
type Shape = { needs: { on: number; allowed: boolean }[]; fails: boolean; late: boolean };

const shapes = (failing: boolean): fc.Arbitrary<Shape[]> =>
  fc
    .array(
      fc.record({
        needs: fc.array(fc.record({ on: fc.nat(), allowed: failing ? fc.boolean() : fc.constant(false) }), {
          maxLength: 4,
        }),
        fails: failing ? fc.integer({ max: 9, min: 0 }).map((one) => one < 2) : fc.constant(false),
        late: fc.boolean(),
      }),
      { minLength: 1, maxLength: 14 },
    )
    .map((list) =>
      list.map(({ needs, ...rest }, index) => ({
        ...rest,
        needs: index === 0 ? [] : needs.map(({ on, allowed }) => ({ on: on % index, allowed })),
      })),
    );

type Told = { task: number; what: 'begins' | 'ends' };

const build = (graph: Shape[]) => {
  const told: Told[] = [];
  const state = { running: 0, most: 0, mended: false };
  const tasks: Record<string, Task> = {};
  for (const [index, { needs, fails, late }] of graph.entries())
    tasks[`t${index}`] = task({
      type: 'integer',
      needs: Object.fromEntries(
        needs.map(({ on, allowed }, place) => [`need_${place}`, dependency(`t${on}`, { allowFailure: allowed })]),
      ),
      run: async () => {
        told.push({ task: index, what: 'begins' });
        state.most = Math.max(state.most, ++state.running);
        if (late) await new Promise((resolve) => setTimeout(resolve, 1));
        state.running -= 1;
        told.push({ task: index, what: 'ends' });
        if (fails && !state.mended) throw new Error(`t${index} fails`);
        return index;
      },
    });
  const root = mkdtempSync(join(folder, 'root-'));
  const context = nodeContext({ roots: [root], workflows: { Graph: defineWorkflow({ name: 'Graph', tasks }) } });
  const jobs = (names: number[]): Promise<Job[]> =>
    Promise.all(names.map((index) => createJob('Graph', `t${index}`, {}, { context })));
  return { told, state, jobs, clear: () => rmSync(root, { recursive: true }) };
};

const begun = (told: Told[]): number[] => told.filter(({ what }) => what === 'begins').map((one) => one.task);

/** All that some tasks need, themselves among it. */
const closure = (graph: Shape[], asked: number[]): number[] => {
  const found = new Set<number>();
  const open = [...asked];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (found.has(one)) continue;
    found.add(one);
    open.push(...graph[one]!.needs.map(({ on }) => on));
  }
  return [...found].sort((a, b) => a - b);
};

/** Tasks that have no result in the end: they fail, or need one that has none and may not fail. */
const without = (graph: Shape[]): { failed: Set<number>; notRun: Set<number> } => {
  const failed = new Set<number>();
  const notRun = new Set<number>();
  for (const [index, { needs, fails }] of graph.entries()) {
    const required = needs.filter(({ on }) => needs.some((one) => one.on === on && !one.allowed));
    if (required.some(({ on }) => failed.has(on))) {
      failed.add(index);
      notRun.add(index);
    } else if (fails) failed.add(index);
  }
  return { failed, notRun };
};

const asked = (graph: Shape[], picks: number[]): number[] => [
  ...new Set([graph.length - 1, ...picks.map((one) => one % graph.length)]),
];

test('each job runs once, after all that it needs, and never more at a time than may', async () => {
  await fc.assert(
    fc.asyncProperty(
      shapes(false),
      fc.array(fc.nat(), { maxLength: 3 }),
      fc.integer({ min: 1, max: 5 }),
      async (graph, picks, concurrency) => {
        const { told, state, jobs, clear } = build(graph);
        const wanted = asked(graph, picks);
        const produced = await produce(await jobs(wanted), { concurrency });
        expect(produced.map(({ status }) => status)).toEqual(wanted.map(() => 'done'));
        expect(begun(told).sort((a, b) => a - b)).toEqual(closure(graph, wanted));
        expect(state.most).toBeLessThanOrEqual(concurrency);
        const place = (index: number, what: Told['what']) =>
          told.findIndex((one) => one.task === index && one.what === what);
        for (const index of closure(graph, wanted))
          for (const { on } of graph[index]!.needs) expect(place(on, 'ends')).toBeLessThan(place(index, 'begins'));
        // All is there: nothing runs again, and one event each says so.
        const events: ProgressEvent[] = [];
        await produce(await jobs(wanted), { onProgress: (event) => events.push(event) });
        expect(begun(told)).toHaveLength(closure(graph, wanted).length);
        expect(events.map(({ kind }) => kind)).toEqual(wanted.map(() => 'reused'));
        clear();
      },
    ),
    tested,
  );
});

test('what fails fails exactly what needs it; mended, exactly what had no result runs', async () => {
  await fc.assert(
    fc.asyncProperty(shapes(true), fc.array(fc.nat(), { maxLength: 3 }), async (graph, picks) => {
      const { told, state, jobs, clear } = build(graph);
      const wanted = asked(graph, picks);
      const needed = closure(graph, wanted);
      const { failed, notRun } = without(graph);
      const produced = await produce(await jobs(wanted));
      expect(produced.map(({ status }) => status)).toEqual(wanted.map((one) => (failed.has(one) ? 'error' : 'done')));
      expect(begun(told).sort((a, b) => a - b)).toEqual(needed.filter((one) => !notRun.has(one)));
      for (const [index, job] of (await jobs(needed)).entries()) {
        const { status, exception } = await job.read();
        const one = needed[index]!;
        expect(status).toBe(failed.has(one) ? 'error' : 'done');
        if (notRun.has(one)) {
          const named = /Graph\/t(\d+)\/\S+ failed/.exec(exception!.message)![1];
          expect(graph[one]!.needs.map(({ on }) => on)).toContain(Number(named));
          expect(failed).toContain(Number(named));
        } else if (failed.has(one)) expect(exception).toMatchObject({ message: `t${one} fails` });
      }
      told.length = 0;
      state.mended = true;
      await produce(await jobs(wanted));
      expect(closure(graph, wanted)).toEqual(expect.arrayContaining(begun(told)));
      expect(new Set(begun(told)).size).toBe(begun(told).length);
      // What is done is not looked through: a failed job below a finished one, that may fail, is left alone.
      const again = new Set<number>();
      const open = wanted.filter((one) => failed.has(one));
      for (let one = open.pop(); one !== undefined; one = open.pop()) {
        if (again.has(one)) continue;
        again.add(one);
        open.push(...graph[one]!.needs.map(({ on }) => on).filter((on) => failed.has(on)));
      }
      expect(begun(told).sort((a, b) => a - b)).toEqual([...again].sort((a, b) => a - b));
      clear();
    }),
    tested,
  );
});

test('whatever is asked first, and however many run at a time, the same is done and the same fails', async () => {
  await fc.assert(
    fc.asyncProperty(
      shapes(true),
      fc.array(fc.nat(), { maxLength: 3 }),
      fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 })),
      async (graph, picks, widths) => {
        const wanted = asked(graph, picks);
        const ends: unknown[] = [];
        for (const [order, concurrency] of [wanted, wanted.toReversed()].map(
          (one, place) => [one, widths[place]!] as const,
        )) {
          const { told, jobs, clear } = build(graph);
          await produce(await jobs(order), { concurrency });
          const there = await Promise.all((await jobs(closure(graph, wanted))).map((job) => job.read()));
          const ran = begun(told).sort((a, b) => a - b);
          ends.push({
            ran,
            there: there.map(({ shortPath, status, done, exception }) => ({
              shortPath,
              status,
              done,
              code: exception?.code,
            })),
          });
          clear();
        }
        expect(ends[1]).toEqual(ends[0]);
      },
    ),
    tested,
  );
});
