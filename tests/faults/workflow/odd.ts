import { appendFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  command,
  defineWorkflow,
  lockStale,
  type Step,
  type Task,
  task,
  type WorkflowContext,
} from '@colophon/workflow';
import { nodeContext } from '@colophon/workflow/node';

/** Tasks that go wrong, and two that do not. Each run adds its name to `log`. */
export const oddContext = (root: string): WorkflowContext => {
  const tell = (word: string) => appendFileSync(join(root, 'log'), `${word}\n`);
  const odd = (run: (step: Step) => unknown, more: Partial<Task> = {}): Task =>
    task({
      type: 'text',
      ...more,
      run: (_, step) => {
        tell(step.task);
        return run(step);
      },
    });
  const Odd = defineWorkflow({
    name: 'Odd',
    tasks: {
      good: odd(() => 'good'),
      slow: odd(async () => {
        await wait(300);
        return 'slow';
      }),
      throws: odd(() => {
        throw new Error('this went wrong');
      }),
      hangs: odd(() => new Promise(() => undefined), { timeLimit: 200 }),
      // As long as the one below, but listening.
      patient: odd(async () => {
        await wait(lockStale + 4_000);
        return 'patient';
      }),
      waits: odd(() => new Promise(() => undefined)),
      escapes: odd(async (step) => writeFile(await step.file('../../../escaped'), 'x')),
      wrong: odd(() => 42),
      fills: odd(() => 'x'.repeat(400_000)),
      streams: odd(async function* () {
        for (let index = 0; index < 100; index++) yield 'y'.repeat(10_000);
      }),
      prints: command({ type: 'text', script: 'head -c 400000 /dev/zero | tr "\\0" z' }),
      // Longer than a lock lasts that is not refreshed: the process can't.
      blocks: odd(() => {
        tell(`${process.pid} blocks`);
        const end = Date.now() + lockStale + 4_000;
        while (Date.now() < end);
        return `of ${process.pid}`;
      }),
      needs: odd((step) => step.dependency('first').load(), { needs: { first: { task: 'throws' } } }),
    },
  });
  return nodeContext({ roots: [root], workflows: { Odd } });
};
