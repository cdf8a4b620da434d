import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { defineTool, type Tool, toolResult } from '@colophon/tools';

const anything = { type: 'object' };

/** Tools that do what served tools may do; `note` is a file in which an aborted call says so. */
export const servedTools = (note = ''): Tool[] => [
  defineTool({
    name: 'weigh',
    description: 'Weighs a fruit — in grams.',
    parameters: {
      type: 'object',
      properties: { fruit: { enum: ['plum', 'pear'] }, scale: { type: 'string' } },
      required: ['fruit', 'scale'],
      defaults: { scale: 'hidden-scale' },
    },
    readOnly: true,
    idempotent: true,
    run: ({ fruit, scale }) => ({ fruit, scale, grams: 38 }),
  }),
  defineTool({ name: 'echo', description: '', parameters: anything, run: ({ value }) => value }),
  defineTool({
    name: 'remove',
    description: 'Removes.',
    parameters: anything,
    destructive: true,
    run: () => {
      throw new Error('the cellar is locked');
    },
  }),
  defineTool({
    name: 'chatty',
    description: '',
    parameters: anything,
    run: () => {
      console.log('this is no protocol');
      process.stdout.write('{"nor":"this"}\n');
      return 'said';
    },
  }),
  defineTool({
    name: 'steps',
    description: '',
    parameters: anything,
    run: async (_, { onProgress }) => {
      onProgress({ message: 'one', done: 1, total: 4 });
      onProgress({ message: 'two' });
      onProgress({ message: 'four', done: 4, total: 4 });
      // The official client drops progress that comes in one piece with the answer.
      await wait(100);
      return 'stepped';
    },
  }),
  defineTool({
    name: 'slow',
    description: '',
    parameters: anything,
    run: async ({ value }, { signal }) => {
      signal.addEventListener('abort', () => note && appendFileSync(note, `aborted ${value}\n`));
      await wait(60_000, undefined, { signal });
    },
  }),
  defineTool({
    name: 'who',
    description: '',
    parameters: anything,
    run: (_, { user, callId }) => `${user} ${typeof callId}`,
  }),
  defineTool({
    name: 'exit',
    description: '',
    parameters: anything,
    run: () => toolResult({ content: { exception: 'it broke', exit_status: 4 }, error: 'error' }),
  }),
];
