import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AnalystContext, inputOf, runTask, tasks } from '@colophon/analyst-tasks';
import { nodeAnalystContext } from '@colophon/analyst-tasks/node';
import { buildGraph, renders, tokenEvents } from '@colophon/provenance';
import { nodeReader } from '@colophon/provenance/node';
import { expect, onTestFinished } from 'vitest';
import type { DamagedSession } from './provenance-faults.js';
import { placeIn } from './provenance-place.js';
import { times } from './scale.js';

/** How large a fault is tried: small ones whole, others as the run has it. */
export const sizeOf = ({ size }: DamagedSession): number => (size < 1000 ? size : times(size));

/** A folder that is gone when the test ends. */
export const temporary = (): string => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'damaged-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }), 300_000);
  chmodSync(folder, 0o755);
  return folder;
};

export const onDisk = async ({ make }: DamagedSession, size: number): Promise<string> => {
  const folder = temporary();
  await make(placeIn(folder), size);
  return folder;
};

export const readSession = async (folder: string) => {
  const graph = await buildGraph(join(folder, 'root.chat'), { reader: nodeReader({ roots: [folder] }) });
  const { events, warnings } = tokenEvents(graph);
  return { graph, events, warnings: [...graph.warnings, ...warnings] };
};

export const renderAll = (
  { graph, events, warnings }: Awaited<ReturnType<typeof readSession>>,
  folder: string,
): void => {
  for (const [form, render] of Object.entries(renders))
    for (const component of [false, true])
      expect(render({ ...graph, warnings }, events, { home: folder, component }), form).not.toBe('');
};

const analyst = (folder: string): AnalystContext =>
  nodeAnalystContext({ workingDirectory: folder, roots: [folder], now: () => new Date(0) });

/** Every task that reads, each with its report. */
export const reports = async (folder: string): Promise<[name: string, report: unknown][]> => {
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
