import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toWorkflows } from '@colophon/chat-compile';
import { createJob, defineWorkflow, dependency, produce, task } from '@colophon/workflow';
import { nodeContext } from '@colophon/workflow/node';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';

test.each([[undefined], ['sunday'], ['Default']])(
  'an unfinished job is made again with all that it needs, named %s',
  async (jobName) => {
    const root = mkdtempSync(join(tmpdir(), 'recreated-'));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    let fails = true;
    const Test = defineWorkflow({
      name: 'Test',
      tasks: {
        mix: task({ type: 'text', run: () => 'dough' }),
        greet: task({
          input: z.object({ who: z.string() }),
          type: 'text',
          jobNameInput: 'who',
          needs: { mix: dependency('mix') },
          run: () => {
            if (fails) throw new Error('no');
            return 'hello';
          },
        }),
      },
    });
    const context = nodeContext({ roots: [root], workflows: { Test } });
    const job = await createJob('Test', 'greet', { who: 'Bob' }, { context, jobName });
    await produce([job]);
    fails = false;
    const { load, produce: produceAgain } = toWorkflows(context);
    await produceAgain([await load(job.shortPath)], {});
    expect((await job.read()).done).toBe(true);
    expect(readdirSync(join(context.jobs, 'Test/mix'))).toHaveLength(2);
  },
);
