import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { runTask, tasks } from '@colophon/analyst-tasks';
import { nodeAnalystContext } from '@colophon/analyst-tasks/node';
import { makeSessionTree } from '../fixtures/make-session-tree.js';

export const name = 'analyst';

type Measure = { what: string; ratio: number; limit: number | null; detail: string };

/** Milliseconds that this process has worked so far: other processes on the machine do not count. */
const worked = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const output = 'function_call_output: ';

/** The least that can be done: each file read once, the outputs parsed. */
const readAll = (files: readonly string[]): void => {
  for (const file of files)
    for (const line of readFileSync(file, 'utf8').split('\n'))
      if (line.startsWith(output)) JSON.parse(line.slice(output.length));
};

/** Tasks that are measured; only the report has limits. */
const measured = ['chat_report', 'chat_tokens', 'chat_agents', 'chat_tool_calls', 'chat_timeline', 'message_index'];
const sizes = [100, 400, 1600];

const milliseconds = (time: number): string => `${time.toFixed(0)} ms`;

/** The least work of reading, then of each task, in several runs of a session; they take turns. */
const leastWork = async (folder: string, jobs: number, names: readonly string[], runs: number): Promise<number[]> => {
  const { root } = makeSessionTree(folder, { jobs, rounds: 32 });
  const files = filesBelow(folder);
  const actions = [
    () => readAll(files),
    ...names.map(
      (task) => () => runTask(task, { file: root }, nodeAnalystContext({ workingDirectory: folder }), tasks),
    ),
  ];
  const least = actions.map(() => Number.POSITIVE_INFINITY);
  for (let run = 0; run < runs; run++)
    for (const [index, action] of actions.entries()) {
      const start = worked();
      await action();
      least[index] = Math.min(least[index]!, worked() - start);
    }
  return least;
};

export const run = async (): Promise<Measure[]> => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'analyst-')));
  try {
    const times: number[][] = [];
    for (const [index, jobs] of sizes.entries())
      times.push(
        await leastWork(join(folder, String(jobs)), jobs, index === 2 ? measured.slice(0, 1) : measured, 7 - 2 * index),
      );
    const measures: Measure[] = [];
    for (const [index, [read = 0, report = 0]] of times.entries())
      measures.push({
        what: `chat_report, ${sizes[index]} jobs of 32 rounds, beside reading and JSON.parse`,
        ratio: report / read,
        limit: 4,
        detail: `${milliseconds(report)} and ${milliseconds(read)}`,
      });
    for (const index of [1, 2]) {
      const [[readBefore = 0, before = 0], [read = 0, report = 0]] = [times[index - 1]!, times[index]!];
      measures.push({
        what: `chat_report, ${sizes[index]} jobs beside ${sizes[index - 1]}`,
        ratio: report / before,
        limit: 4.6,
        detail: `${milliseconds(report)} and ${milliseconds(before)}; reading grew ${(read / readBefore).toFixed(2)} times`,
      });
    }
    for (const [index, task] of measured.entries())
      if (index > 0)
        measures.push({
          what: `${task}, ${sizes[1]} jobs beside ${sizes[0]}`,
          ratio: times[1]![index + 1]! / times[0]![index + 1]!,
          limit: null,
          detail: `${milliseconds(times[1]![index + 1]!)} and ${milliseconds(times[0]![index + 1]!)}`,
        });
    return measures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};
