import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { damagedSessions } from './damaged-sessions.js';
import { growingTooFast, operationCounter } from './provenance-operations.js';
import { onDisk, readSession, renderAll, reports, sizeOf } from './provenance-reports.js';

let counter: Awaited<ReturnType<typeof operationCounter>>;
beforeAll(async () => {
  counter = await operationCounter();
});
afterAll(() => counter.close());

describe('what is four times as large costs four times as much', () => {
  test.each(damagedSessions.filter(({ grows }) => grows))('$what', async (damaged) => {
    const size = Math.max(100, sizeOf(damaged) / 40);
    const [few, many] = [await onDisk(damaged, size), await onDisk(damaged, 4 * size)];
    const render = async (folder: string) => {
      const session = await readSession(folder);
      return counter.count(async () => renderAll(session, folder));
    };
    const read = (folder: string) => counter.count(() => readSession(folder));
    const report = (folder: string) => counter.count(() => reports(folder));
    for (const work of [read, render, report]) {
      const counts = [await work(few), await work(many)] as const;
      expect(counts[1].size).toBeGreaterThan(20);
      expect(growingTooFast(...counts)).toEqual([]);
    }
  });
});
