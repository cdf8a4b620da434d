import { createJob, dependency, produce, task } from '@colophon/workflow';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { contextOf } from './support/jobs.js';

const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;

test('jobs that wait cost nothing while they do: no timer is theirs', async () => {
  const counts: number[] = [];
  for (const many of [10, 400]) {
    let begin = (): void => undefined;
    let release = (_: string): void => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const context = contextOf({
      slow: task({
        type: 'text',
        run: () => {
          begin();
          return new Promise<string>((resolve) => (release = resolve));
        },
      }),
      wait: task({
        input: z.object({ n: z.number() }),
        type: 'text',
        needs: { slow: dependency('slow') },
        run: () => '',
      }),
    });
    const jobs = await Promise.all(
      Array.from({ length: many }, (_, n) => createJob('Test', 'wait', { n }, { context })),
    );
    const before = timers();
    const produced = produce(jobs);
    await begun;
    counts.push(timers() - before);
    release('');
    expect(new Set((await produced).map(({ status }) => status))).toEqual(new Set(['done']));
    expect(timers()).toBeLessThan(before + 10);
  }
  // Those of the one job that runs, and of the test runner.
  expect(Math.max(...counts)).toBeLessThan(10);
});
