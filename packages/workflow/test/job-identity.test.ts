import { join } from 'node:path';
import { createJob, defineWorkflow, dependency, task } from '@colophon/workflow';
import { nodeContext } from '@colophon/workflow/node';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { makeFolder } from './support/folder.js';

const run = (): string => '';
const workflow = defineWorkflow({
  name: 'Names',
  tasks: {
    hello: task({
      type: 'string',
      input: z.object({ name: z.union([z.string(), z.number()]).default('you'), times: z.number().default(1) }),
      jobNameInput: 'name',
      run,
    }),
    shout: task({ type: 'string', needs: { hello: dependency('hello') }, run }),
    fixed: task({ type: 'string', needs: { hello: dependency('hello', { inputs: { times: 2 } }) }, run }),
  },
});

test('jobs of other inputs have other paths, whatever names them', async () => {
  const context = nodeContext({ roots: [makeFolder()] });
  const asked: [string, Record<string, unknown>, string?][] = [
    ...[{}, { name: 'Bob' }, { name: 'Anna' }, { name: 5 }, { name: '5' }, { name: 'Bob', times: 2 }].map(
      (inputs): [string, Record<string, unknown>] => ['hello', inputs],
    ),
    ...['Bob', 'Anna', '5', 'x'].flatMap((name): [string, Record<string, unknown>, string][] => [
      ['hello', {}, name],
      ['hello', { name: 'Bob' }, name],
      ['hello', { name: 'Anna' }, name],
      ['shout', { name: 'Bob' }, name],
      ['shout', { name: 'Anna' }, name],
      ['shout', {}, name],
      ['fixed', {}, name],
    ]),
  ];
  const paths = new Map<string, string>();
  for (const [name, inputs, jobName] of asked) {
    const job = await createJob(workflow, name, inputs, { context, jobName });
    const identity = JSON.stringify([name, job.inputs]);
    expect(paths.get(job.path) ?? identity).toBe(identity);
    paths.set(job.path, identity);
  }
});

test('a job that was given nothing has no digest, one whose dependency was given something has', async () => {
  const folder = makeFolder();
  const context = nodeContext({ roots: [folder] });
  const pathOf = async (name: string, inputs = {}, jobName?: string): Promise<string> =>
    (await createJob(workflow, name, inputs, { context, jobName })).path.slice(join(folder, 'var/jobs/').length);
  expect(await pathOf('hello')).toBe('Names/hello/you');
  expect(await pathOf('hello', { name: 'you', times: 1 }, 'sunday')).toBe('Names/hello/sunday');
  expect(await pathOf('shout')).toBe('Names/shout/Default');
  expect(await pathOf('fixed')).toMatch(/^Names\/fixed\/Default_[0-9a-f]{32}$/);
  expect(await pathOf('shout', { name: 'Bob' }, '../x')).toMatch(
    /^Names\/shout\/__x~[0-9a-f]{12}_[0-9a-f]{32}$|^Names\/shout\/[^/]+$/,
  );
});

test('an input that every object has by its prototype names no job unless it is given', async () => {
  const context = nodeContext({ roots: [makeFolder()] });
  const input = z.object({ toString: z.string().optional() } as unknown as { name: z.ZodOptional<z.ZodString> });
  const odd = defineWorkflow({
    name: 'Odd',
    tasks: { hello: task({ type: 'string', input, jobNameInput: 'toString', run }) },
  });
  expect((await createJob(odd, 'hello', {}, { context })).name).toMatch(/^Default/);
});
