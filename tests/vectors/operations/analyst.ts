import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { runTask, tasks } from '@colophon/analyst-tasks';
import { nodeAnalystContext } from '@colophon/analyst-tasks/node';
import { ColophonError, parseChat } from '@colophon/chat-format';
import { preparePrompt } from '@colophon/prompt-strategies';
import type { Json, Operation } from '../vector.js';

const run = async (task: string, params: Record<string, unknown>, root: string): Promise<unknown> => {
  const context = nodeAnalystContext({ workingDirectory: root, roots: [root] });
  const result = await runTask(task, params, context, tasks);
  tasks[task]!.output.parse(result);
  return task === 'extract_chat_range' ? { text: result, messages: parseChat(String(result)) } : result;
};

const setAges = async (ages: Record<string, number> = {}, root: string): Promise<void> => {
  for (const [path, age] of Object.entries(ages)) {
    const time = Date.now() / 1000 - age;
    await utimes(join(root, path), time, time);
  }
};

/** A step of a sequence: a task, or a real inference of a chat, as its inbox sees it. */
const step = async ({ task, params, inference }: Json, root: string): Promise<unknown> => {
  if (task !== undefined) return run(task, params, root);
  const { chat } = await preparePrompt([{ role: 'user', content: 'go on' }], 'inbox', {
    saveFile: inference.save_file ?? inference,
  });
  return { messages: chat };
};

/** The analyst's tasks, one by one and in a sequence on one tree. */
export const analyst = {
  analyst: async (input, { root }) => {
    await setAges(input['mtimes'], root);
    return { result: await run(input['task'], input['params'], root) };
  },
  analyst_sequence: async (input, { root }) => {
    const results: unknown[] = [];
    for (const one of input['steps'])
      results.push(
        await step(one, root).catch((error: unknown) => {
          const known = error instanceof ColophonError;
          return {
            error: { class: known ? 'ParameterException' : 'Error', message: String((error as Error).message) },
          };
        }),
      );
    return { results };
  },
} satisfies Record<string, Operation>;
