import { appendFileSync } from 'node:fs';
import { readdir, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { defineWorkflow, dependency, type Engine, type Step, task, type WorkflowContext } from '@colophon/workflow';
import { nodeContext } from '@colophon/workflow/node';
import { z } from 'zod';

/** The workflow that both sides of the queue know. Each run says where. */
export const queueContext = (root: string): WorkflowContext => {
  const tell = (step: Step) => appendFileSync(join(root, 'log'), `${process.pid} ${step.shortPath}\n`);
  const Mill = defineWorkflow({
    name: 'Mill',
    tasks: {
      grind: task({
        input: z.object({ grams: z.number(), coarse: z.boolean().default(false) }),
        type: 'integer',
        run: ({ grams }, step) => {
          tell(step);
          return grams;
        },
      }),
      mix: task({
        type: 'json',
        needs: { flour: dependency('grind'), more: dependency('grind', { inputs: { grams: 7 } }) },
        run: async (_, step) => {
          tell(step);
          await step.log('mixing');
          return [await step.dependency('flour').load(), await step.dependency('more').load()];
        },
      }),
      fail: task({ type: 'text', run: () => Promise.reject(new TypeError('no grain')) }),
      hang: task({ type: 'text', run: () => new Promise(() => undefined) }),
    },
  });
  return nodeContext({ roots: [root], workflows: { Mill } });
};

/** An engine as a queue has it: it writes the paths of jobs to a folder, and waits until a worker says that it has ended with one. */
export const queueEngine = (queue: string): Engine => {
  let next = 0;
  return {
    name: 'queue',
    run: async (path, { signal, heartbeat }) => {
      const ticket = join(queue, String(++next).padStart(4, '0'));
      await writeFile(`${ticket}.new`, path);
      await rename(`${ticket}.new`, `${ticket}.todo`);
      signal.addEventListener('abort', () => {
        writeFile(`${ticket}.cancel`, (signal.reason as Error).message);
      });
      for (let seen = 0; !(await stat(`${ticket}.ended`).catch(() => undefined)); await wait(5)) {
        const taken = (await readdir(queue)).find(
          (name) => join(queue, name).startsWith(`${ticket}.`) && name.endsWith('.taken'),
        );
        const beat = taken === undefined ? 0 : ((await stat(join(queue, taken)).catch(() => undefined))?.mtimeMs ?? 0);
        if (beat > seen) heartbeat();
        seen = Math.max(seen, beat);
      }
    },
  };
};
