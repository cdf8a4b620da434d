/** A workflow of a person, in a folder where nothing is installed. */
export const kitchen = {
  'workflows/Kitchen/workflow.ts': `import { writeFile } from 'node:fs/promises';
import { command, defineWorkflow, dependency, task } from '@colophon/workflow';
import { z } from 'zod';

const slow = { type: 'text', run: async (_: unknown, step: any) => {
  step.progress({ message: 'waits', done: 1, total: 4 });
  await writeFile(await step.file('begun'), '');
  await new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 60_000);
    step.signal.addEventListener('abort', () => { clearTimeout(timer); reject(step.signal.reason); });
  });
  return 'late';
} } as const;

export default defineWorkflow({
  name: 'Kitchen',
  exported: ['mix', 'bake', 'wait'],
  tasks: {
    mix: task({
      description: 'Mixes flour and water. Gives the weight of the dough.',
      input: z.object({
        flour: z.number().int().describe('grams'),
        kind: z.enum(['rye', 'wheat']).default('rye'),
        salted: z.boolean().default(true),
        extra_seeds: z.array(z.string()).default([]),
      }),
      type: 'json',
      run: async (inputs) => ({ ...inputs, dough: inputs.flour * 1.6 }),
    }),
    bake: task({
      description: 'Bakes.',
      input: z.object({ minutes: z.number().default(40), path: z.string().default('tin') }),
      needs: { dough: dependency('mix') },
      type: 'text',
      run: async ({ minutes, path }, step) =>
        \`\${((await step.dependency('dough').load()) as { dough: number }).dough} g in a \${path} for \${minutes} min\`,
    }),
    say: command({ input: z.object({ words: z.string() }), type: 'text', script: 'echo "$WORDS"' }),
    photo: task({ type: 'binary', run: async () => new Uint8Array([0, 255, 10, 13]) }),
    burn: task({ type: 'text', run: async () => { throw new Error('smoke', { cause: new Error('too hot') }); } }),
    serve: task({ type: 'text', needs: { burnt: dependency('burn') }, run: async () => 'never' }),
    wait: task(slow),
    clock: task({ type: 'integer', fresh: true, run: async () => process.hrtime()[1] }),
  },
});
`,
  'workflows/Kitchen/README.md': '# Bread\n\nMakes bread from flour.\n',
};
