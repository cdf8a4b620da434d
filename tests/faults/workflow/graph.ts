import { appendFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { defineWorkflow, dependency, type Task, task, type WorkflowContext } from '@colophon/workflow';
import { nodeContext } from '@colophon/workflow/node';
import { z } from 'zod';

const rows = 7;
const columns = 7;

/** Jobs of the graph: seven rows of seven, each of which needs three of the row before, and one that needs the last row. */
export const size = rows * columns + 1;

const count = (length: number): number[] => Array.from({ length }, (_, index) => index);

/** A text that comes bit by bit. */
async function* letters(text: string): AsyncGenerator<string> {
  for (const letter of text) {
    yield letter;
    await wait(1);
  }
}

/** The graph in a folder. Each run of a task adds a line to `log`: the process, the job, and that it begins or has returned. */
export const graphContext = (root: string, log = join(root, 'log')): WorkflowContext => {
  const tasks: Record<string, Task> = {};
  const tell = (path: string, what: string) => appendFileSync(log, `${process.pid} ${path} ${what}\n`);
  for (const row of count(rows))
    tasks[`row_${row}`] = task({
      input: z.object({ column: z.number() }),
      type: 'text',
      ...(row === 0
        ? {}
        : {
            needs: {
              above: dependency(`row_${row - 1}`, {
                inputs: ({ column }) => count(3).map((step) => ({ column: ((column as number) + step) % columns })),
              }),
            },
          }),
      run: async ({ column }, step) => {
        tell(step.shortPath, 'begins');
        const above = row === 0 ? [] : await Promise.all(step.dependencyList('above').map((job) => job.load()));
        await writeFile(await step.file('note.txt'), 'a note');
        if (column % 3 === 0) await wait(5);
        tell(step.shortPath, 'returns');
        const text = `${row},${column}: ${above.map((one) => String(one).split(':')[0]).join(' ')}`;
        return column % 3 === 1 ? letters(text) : text;
      },
    });
  tasks['last'] = task({
    type: 'json',
    needs: { all: dependency(`row_${rows - 1}`, { inputs: () => count(columns).map((column) => ({ column })) }) },
    run: async (_, step) => {
      tell(step.shortPath, 'begins');
      return Promise.all(step.dependencyList('all').map((job) => job.load()));
    },
  });
  const Graph = defineWorkflow({ name: 'Graph', tasks });
  return nodeContext({ roots: [root], workflows: { Graph } });
};
