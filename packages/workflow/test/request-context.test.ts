import { createJob, defineWorkflow, dependency, readJob, type Step, task, toRequestContext } from '@colophon/workflow';
import { nodeContext } from '@colophon/workflow/node';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { makeFolder } from './support/folder.js';

const seen: unknown[] = [];
const look = (_: unknown, { requestContext }: Step): string => `${seen.push(requestContext)}`;

const workflow = defineWorkflow({
  name: 'Kitchen',
  tasks: {
    mix: task({ type: 'string', run: look }),
    bake: task({
      type: 'string',
      input: z.object({ minutes: z.number().default(40) }),
      needs: { dough: dependency('mix') },
      run: look,
    }),
    burn: task({
      type: 'string',
      run: () => {
        throw new Error('smoke');
      },
    }),
  },
});

const stored = async (path: string) => (await readJob(path)).info['request_context'];

test('is kept with a job and what it depends on, seen by the task, and no part of what the job is', async () => {
  const context = nodeContext({ roots: [makeFolder()] });
  const requestContext = { endpoint: 'work', caller: '/x.chat', key: 'sk-1', nested: { token: 't', fine: 1 } };
  const plain = await createJob(workflow, 'bake', {}, { context });
  const job = await createJob(workflow, 'bake', {}, { context: { ...context, requestContext } });
  expect(job.path).toBe(plain.path);
  seen.length = 0;
  await job.run();
  const fields = { endpoint: 'work', caller: '/x.chat', nested: { fine: 1 } };
  expect(seen).toEqual([fields, fields]);
  expect(await stored(job.path)).toEqual({ version: 1, fields });
  expect(await stored((job.dependencies['dough'] as { path: string }).path)).toEqual({ version: 1, fields });
  expect((await readJob(job.path)).inputs).toEqual({ minutes: 40 });
});

test('the first request counts, also where a job is run again or failed', async () => {
  const context = nodeContext({ roots: [makeFolder()] });
  const make = (name: string, caller: string) =>
    createJob(workflow, name, {}, { context: { ...context, requestContext: { caller } } });
  await (await make('mix', 'a')).run();
  const again = await make('mix', 'b');
  await again.run();
  await again.run({ update: true });
  expect(await stored(again.path)).toEqual({ version: 1, fields: { caller: 'a' } });
  const burn = await make('burn', 'a');
  await expect(burn.run()).rejects.toThrow('smoke');
  await expect((await make('burn', 'b')).run()).rejects.toThrow('smoke');
  expect(await stored(burn.path)).toEqual({ version: 1, fields: { caller: 'a' } });
});

test('a job without one has none, and its task sees nothing', async () => {
  const context = nodeContext({ roots: [makeFolder()] });
  const job = await createJob(workflow, 'mix', {}, { context });
  seen.length = 0;
  await job.run();
  expect([await stored(job.path), seen]).toEqual([undefined, [{}]]);
});

const secretNames = [
  'apiKey',
  'API_KEY',
  'x-api-key',
  'password',
  'clientSecret',
  'access_token',
  'Authorization',
  'key',
  'keyCommand',
  'credentials',
  'private key',
  'GITHUB_TOKEN',
];
const canary = 'canary-9f3';

test('is JSON, and holds no value under a name that may be a credential’s, however deep', () => {
  const plant = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      fc.anything(),
      fc.dictionary(fc.string(), tie('tree')),
      fc.array(tie('tree')),
      fc.constantFrom(...secretNames).map((name) => ({ [name]: canary, kept: 1 })),
      fc.constantFrom(...secretNames).map((name) => ({ [name]: [{ deep: canary }] })),
    ),
  })).tree;
  fc.assert(
    fc.property(fc.dictionary(fc.string(), plant), (fields) => {
      const projected = toRequestContext(fields as Record<string, unknown>);
      const text = JSON.stringify(projected);
      expect(text).not.toContain(canary);
      expect(JSON.parse(text)).toEqual(projected);
      expect(toRequestContext(projected)).toEqual(projected);
    }),
  );
});
