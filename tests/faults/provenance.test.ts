import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnalystContext, inputOf, runTask, tasks } from '@colophon/analyst-tasks';
import { nodeAnalystContext } from '@colophon/analyst-tasks/node';
import { buildGraph, renders, tokenEvents, tokenTotals, type Warning } from '@colophon/provenance';
import { nodeReader } from '@colophon/provenance/node';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { builtCli, runCli } from '../../apps/cli/test/built-cli.js';
import { damagedSessions } from './damaged-sessions.js';
import type { DamagedSession } from './provenance-faults.js';
import { countOperations } from './provenance-operations.js';
import { placeIn, stateBelow } from './provenance-place.js';
import { times } from './scale.js';

beforeAll(() => void builtCli(), 120_000);

const sizeOf = ({ size }: DamagedSession): number => (size < 1000 ? size : times(size));

/** A folder that is gone when the test ends. */
const temporary = (): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'damaged-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  chmodSync(folder, 0o755);
  return folder;
};

const onDisk = async ({ make }: DamagedSession, size: number): Promise<string> => {
  const folder = temporary();
  await make(placeIn(folder), size);
  return folder;
};

const counted = (warnings: readonly Warning[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { code } of warnings) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
};

const readSession = async (folder: string) => {
  const graph = await buildGraph(join(folder, 'root.chat'), { reader: nodeReader({ roots: [folder] }) });
  const { events, warnings } = tokenEvents(graph);
  return { graph, events, warnings: [...graph.warnings, ...warnings] };
};

const renderAll = ({ graph, events, warnings }: Awaited<ReturnType<typeof readSession>>, folder: string): void => {
  for (const [form, render] of Object.entries(renders))
    for (const component of [false, true])
      expect(render({ ...graph, warnings }, events, { home: folder, component }), form).not.toBe('');
};

const analyst = (folder: string): AnalystContext =>
  nodeAnalystContext({ workingDirectory: folder, roots: [folder], now: () => new Date(0) });

/** Every task that reads, each with its report. */
const reports = async (folder: string): Promise<[name: string, report: unknown][]> => {
  const [context, file] = [analyst(folder), join(folder, 'root.chat')];
  const found: [string, unknown][] = [];
  for (const task of Object.values(tasks)) {
    if (task.writes) continue;
    const { shape } = inputOf(task);
    const input = 'ids' in shape ? { ids: [`${file}#0`] } : 'start' in shape ? { start: 0, end: 0 } : {};
    found.push([task.name, await runTask(task.name, { file, ...input }, context, tasks)]);
  }
  return found;
};

describe('a damaged session is told, and the rest of it is counted', () => {
  test.each(damagedSessions)('$what', async (damaged) => {
    const size = sizeOf(damaged);
    const folder = await onDisk(damaged, size);
    const before = stateBelow(folder);
    const total = damaged.tt(size);

    const session = await readSession(folder);
    expect(tokenTotals(session.events).tt).toBe(total);
    expect(counted(session.warnings)).toEqual(
      Object.fromEntries(
        Object.entries(damaged.codes).map(([code, of]) => [code, typeof of === 'number' ? of : of(size)]),
      ),
    );
    for (const { message, address } of session.warnings) {
      expect([address].flat()[0]).toSatisfy((path: string) => path.startsWith(`${folder}/`));
      expect(message).not.toBe('');
    }
    renderAll(session, folder);

    for (const [name, report] of await reports(folder)) {
      expect(tasks[name]!.output.safeParse(report).error?.issues.slice(0, 3) ?? [], name).toEqual([]);
      if (name === 'chat_tokens') expect(report).toMatchObject({ deduplicated_total: { tt: total } });
      if (name === 'chat_report') expect(report).toMatchObject({ tokens: { deduplicated_total: { tt: total } } });
    }
    expect(stateBelow(folder)).toEqual(before);

    const pictures = temporary();
    const forms = [
      ['-c', '-l', '-e'],
      ['-f', '-e', '--dot', '--mermaid', '--timeline'],
      ['--json'],
      // Laying out large graphs takes its time: how it grows is tested elsewhere.
      ...(session.graph.nodes.length > 100
        ? []
        : [['--plot', join(pictures, 'a.png'), '--timeline', join(pictures, 'b.png')]]),
    ];
    for (const words of forms) {
      const { code, stdout, stderr } = await runCli(['prov', ...words, 'root.chat'], { cwd: folder });
      const told = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('wrote '));
      expect(stderr).not.toMatch(/\n\s+at |Error:/);
      expect({ code, told: told.length }, stderr).toEqual({ code: 0, told: Math.min(6, session.warnings.length) });
      if (words[0] === '--json') expect(JSON.parse(stdout).totals.deduplicated_total.tt).toBe(total);
      else if (words[0] !== '--plot') expect(stdout).toMatch(new RegExp(`^sum +total=${total} `, 'm'));
      else expect(readdirSync(pictures)).toEqual(['a.png', 'b.png']);
    }
    expect(stateBelow(folder)).toEqual(before);
  });
});

describe('what is four times as large costs four times as much', () => {
  test.each(damagedSessions.filter(({ grows }) => grows))('$what', async (damaged) => {
    const costs: Record<string, number>[] = [];
    for (const size of [damaged.size / 50, (4 * damaged.size) / 50]) {
      const folder = await onDisk(damaged, size);
      const session = await readSession(folder);
      costs.push({
        graph: await countOperations(() => readSession(folder)),
        renders: await countOperations(async () => renderAll(session, folder)),
        tasks: await countOperations(() => reports(folder)),
      });
    }
    for (const [what, few] of Object.entries(costs[0]!)) {
      expect(few, what).toBeGreaterThan(0);
      expect(costs[1]![what]! / few, what).toBeLessThan(5.5);
    }
  });
});
