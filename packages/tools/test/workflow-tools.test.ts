import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pairToolCalls, parseChat } from '@colophon/chat-format';
import {
  type RunContext,
  runCalls,
  type Tool,
  takeTools,
  toolDefinition,
  type WorkflowToolsOptions,
  workflowTools,
} from '@colophon/tools';
import { command, createJob, defineWorkflow, dependency, limitEngine, task, type Workflow } from '@colophon/workflow';
import { nodeContext } from '@colophon/workflow/node';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { answer, envelope, exception, now } from './run.js';

const folder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'workflow-tools-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
};

let runs: string[] = [];

const kitchen: Workflow = defineWorkflow({
  name: 'Kitchen',
  title: 'Bread',
  description: 'Makes bread.',
  exported: ['mix', 'bake'],
  tasks: {
    mix: task({
      description: 'Mixes.',
      input: z.object({ flour: z.number().int().describe('grams'), kind: z.enum(['rye', 'wheat']).default('rye') }),
      type: 'integer',
      readOnly: true,
      run: async ({ flour }) => {
        runs.push(`mix ${flour}`);
        return flour * 2;
      },
    }),
    bake: task({
      input: z.object({ minutes: z.number().default(40) }),
      needs: { dough: dependency('mix') },
      type: 'json',
      run: async ({ minutes }, step) => {
        runs.push(`bake ${minutes}`);
        step.progress({ message: 'rises', done: 1, total: 2 });
        return { bread: (await step.dependency('dough').load()) as number, minutes };
      },
    }),
    read: task({ input: z.object({ text: z.string() }), type: 'text', run: async ({ text }) => `read ${text}` }),
    table: task({
      type: 'tsv',
      run: async () => [
        ['a', 'b'],
        ['1', '2'],
      ],
    }),
    list: task({ type: 'array', run: async () => ['a', 'b'] }),
    picture: task({ type: 'binary', run: async () => new Uint8Array([0, 255, 1]) }),
    long: task({ type: 'text', run: async () => 'x'.repeat(200_000) }),
    burn: task({
      type: 'text',
      destructive: true,
      run: async () => {
        throw new Error('smoke', { cause: new Error('too hot, key sk-aaaaaaaaaaaaaaaaaaaa') });
      },
    }),
    wrong: task({ type: 'integer', run: async () => 'no number' }),
    hours: task({ type: 'text', timeLimit: 3_600_000, retry: 1, run: async () => 'x' }),
    clock: task({ type: 'integer', fresh: true, run: async () => runs.push('clock') }),
    named: task({
      input: z.object({ jobname: z.string() }),
      jobNameInput: 'jobname',
      type: 'text',
      run: async ({ jobname }) => jobname,
    }),
    'odd name': command({ argv: ['echo', 'hi'], type: 'string' }),
  },
});

const setUp = async (options: WorkflowToolsOptions = {}, workflow = kitchen, jobs = join(folder(), 'var/jobs')) => {
  const context = nodeContext({ roots: [], jobs, workflows: { [workflow.name]: workflow }, environment: {} });
  runs = [];
  const made = await workflowTools(workflow, context, options);
  const find = (name: string): Tool => made.tools.find((tool) => tool.name === name)!;
  const call = async (name: string, given: unknown, more: Partial<RunContext> = {}) =>
    (await answer([{ id: 'c1', name, arguments: given }], [...made.tools], more))[0]!;
  return { ...made, find, call, context, jobs };
};

describe('a task as a tool', () => {
  test('is told with its own and inherited inputs, and with `return_path` where a file is worth it', async () => {
    const { name, title, description, exported, find } = await setUp();
    expect({ name, title, description, exported }).toEqual({
      name: 'Kitchen',
      title: 'Bread',
      description: 'Makes bread.',
      exported: ['mix', 'bake'],
    });
    const bake = toolDefinition(find('bake'));
    expect(Object.keys(bake.parameters['properties'] as object).sort()).toEqual([
      'flour',
      'kind',
      'minutes',
      'return_path',
    ]);
    expect(bake.parameters).toMatchObject({
      type: 'object',
      required: ['flour'],
      additionalProperties: false,
      properties: {
        flour: { type: 'integer', description: 'grams' },
        kind: { enum: ['rye', 'wheat'], default: 'rye' },
        return_path: { type: 'boolean' },
      },
    });
    expect(bake.parameters).not.toHaveProperty('hidden');
    const mix = toolDefinition(find('mix'));
    expect(mix.description).toBe('Mixes.');
    expect(Object.keys(mix.parameters['properties'] as object)).toEqual(['flour', 'kind']);
    const { find: served } = await setUp({ returnPath: false });
    expect(served('bake').parameters['properties']).not.toHaveProperty('return_path');
  });

  test('has the annotations of the task', async () => {
    const { find } = await setUp();
    const of = ({ readOnly, destructive, idempotent, timeout }: Tool) => ({
      readOnly,
      destructive,
      idempotent,
      timeout,
    });
    expect(of(find('mix'))).toEqual({ readOnly: true, idempotent: true });
    expect(of(find('burn'))).toEqual({ destructive: true });
    expect(of(find('clock'))).toEqual({});
    expect(of(find('hours'))).toMatchObject({ timeout: 7_200_000 });
  });

  test('has a name that providers take', async () => {
    const { call } = await setUp();
    expect(await call('odd_name', {})).toMatchObject({ content: 'hi', step: 'Kitchen/odd name/Default' });
  });
});

describe('a call', () => {
  test('runs the job and what it needs, and names it; the same again runs nothing', async () => {
    const { call } = await setUp();
    const first = await call('bake', { flour: 500, minutes: 30 });
    expect(first).toMatchObject({ content: '{"bread":1000,"minutes":30}', id: 'c1', name: 'bake' });
    expect(first['step']).toMatch(/^Kitchen\/bake\/Default_[0-9a-f]{32}\.json$/);
    expect(first).not.toHaveProperty('error');
    expect(runs).toEqual(['mix 500', 'bake 30']);
    expect(await call('bake', { minutes: 30, flour: 500, kind: 'rye' })).toMatchObject({
      content: first['content'],
      step: first['step'],
    });
    expect(runs).toHaveLength(2);
    await call('clock', {});
    expect((await call('clock', {}))['content']).toBe('4');
  });

  test.each([
    ['mix', { flour: 5 }, '10'],
    ['table', {}, 'a\tb\n1\t2'],
    ['list', {}, '["a","b"]'],
  ])('of %s gives its result by type', async (name, given, content) => {
    const { call } = await setUp();
    expect((await call(name, given))['content']).toBe(content);
  });

  test('keeps text that names a file as it is', async () => {
    const { call, jobs } = await setUp();
    const file = join(jobs, '..', 'secret.txt');
    await call('mix', { flour: 1 });
    writeFileSync(file, 'secret');
    expect((await call('read', { text: file }))['content']).toBe(`read ${file}`);
  });

  test('names the job, whatever the model calls it, and records the argument as it was sent', async () => {
    const { call, tools, jobs } = await setUp();
    expect((await call('mix', { flour: 1, jobname: 'sunday' }))['step']).toMatch(/^Kitchen\/mix\/sunday_/);
    const { step } = await call('mix', { flour: 1, jobname: '../../../etc/x' });
    expect(String(step).split('/')).toHaveLength(3);
    expect(readdirSync(jobs)).toEqual(['Kitchen']);
    const { calls, outputs } = await runCalls(
      [{ id: 'c', name: 'mix', arguments: { flour: 2, jobname: 'a' } }],
      tools,
      { now },
    );
    expect(pairToolCalls([...calls, ...outputs])[0]?.arguments).toEqual({ flour: 2, jobname: 'a' });
    // An input of that name is an input.
    expect((await call('named', { jobname: 'b' }))['content']).toBe('b');
  });

  test('gives the path with `return_path`, and grants it', async () => {
    const { call, jobs } = await setUp();
    const granted: string[] = [];
    const toolContext = { grantRead: (path: string) => granted.push(path) };
    const { content } = await call('bake', { flour: 1, return_path: true }, { toolContext });
    expect(String(content).startsWith(`${jobs}/Kitchen/bake/`)).toBe(true);
    expect(readFileSync(String(content), 'utf8')).toBe('{"bread":2,"minutes":40}');
    expect(granted).toEqual([content]);
    const picture = await call('picture', {}, { toolContext });
    expect(picture['content']).toBe(`The result is no text. It is the file ${granted[1]}`);
    expect(await call('mix', { flour: 1, return_path: true })).toMatchObject({ error: 'invalid_arguments' });
  });

  test('whose result is too long names the job that holds the whole', async () => {
    const { call, jobs } = await setUp();
    const output = await call('long', {});
    expect(output).toMatchObject({ error: 'truncated', step: 'Kitchen/long/Default' });
    expect(exception(output)).toContain('200000 characters');
    expect(exception(output)).toContain('The job Kitchen/long/Default holds the whole');
    expect(readFileSync(join(jobs, 'Kitchen/long/Default'), 'utf8')).toHaveLength(200_000);
  });

  test('that fails says why, without a stack or what looks like a key', async () => {
    const { call } = await setUp();
    const output = await call('burn', {});
    expect(output).toMatchObject({ error: 'error', step: 'Kitchen/burn/Default' });
    expect(exception(output)).toBe('smoke: too hot, key [hidden]');
    expect(exception(await call('wrong', {}))).toMatch(/wrong\/Default is no integer/);
    const { tools } = await setUp(
      {},
      defineWorkflow({
        name: 'Bad',
        tasks: {
          top: task({ type: 'text', needs: { below: dependency('below') }, run: async () => 'x' }),
          below: task({
            type: 'text',
            run: async () => {
              throw new Error('no water');
            },
          }),
        },
      }),
    );
    const [top] = await answer([{ id: 'a', name: 'top', arguments: {} }], [...tools]);
    expect(exception(top)).toContain('Bad/below/Default failed: no water');
  });

  test.each([
    [{}, /flour/],
    [{ flour: 'much' }, /flour: expected integer/],
    [{ flour: 1, sugar: 2 }, /sugar/],
    [{ flour: 1, kind: 'oat' }, /kind/],
  ])('with %j is told what does not fit', async (given, message) => {
    const { call, jobs } = await setUp();
    const output = await call('mix', given);
    expect(output['error']).toBe('invalid_arguments');
    expect(exception(output)).toMatch(message);
    expect(existsSync(jobs)).toBe(false);
  });

  test("with values that only the task's own checks refuse is invalid, too", async () => {
    const picky = defineWorkflow({
      name: 'Picky',
      tasks: {
        even: task({
          input: z.object({ n: z.number().refine((n) => n % 2 === 0, 'must be even') }),
          type: 'integer',
          run: async ({ n }) => n,
        }),
      },
    });
    const { call } = await setUp({}, picky);
    const output = await call('even', { n: 3 });
    expect(output['error']).toBe('invalid_arguments');
    expect(exception(output)).toContain('must be even');
  });

  test('shows progress', async () => {
    const { call } = await setUp();
    const told: unknown[] = [];
    await call('bake', { flour: 1 }, { onProgress: (progress) => told.push(progress) });
    expect(told).toEqual([
      { message: expect.stringMatching(/^Kitchen\/mix\/Default_\w+ runs$/) },
      { message: expect.stringMatching(/^Kitchen\/bake\/Default_\w+\.json runs$/) },
      { message: 'bake: rises', done: 1, total: 2 },
    ]);
  });

  test('tells who waits for a job that has to run, and that it ended, however it did', async () => {
    const log: string[] = [];
    const { call } = await setUp({
      onWait: async ({ shortPath }, { chatFile }) => {
        log.push(`wait ${shortPath} ${chatFile}`);
        return async () => {
          log.push('ended');
        };
      },
    });
    const toolContext = { chatFile: '/m.chat' };
    await call('table', {}, { toolContext });
    await call('table', {}, { toolContext });
    await call('burn', {}, { toolContext });
    expect(log).toEqual([
      'wait Kitchen/table/Default.tsv /m.chat',
      'ended',
      'wait Kitchen/burn/Default /m.chat',
      'ended',
    ]);
  });
});

const gates = () => {
  let open = 0;
  let most = 0;
  const workflow = defineWorkflow({
    name: 'Gates',
    tasks: {
      pass: task({
        input: z.object({ n: z.number() }),
        type: 'integer',
        run: async ({ n }, step) => {
          open++;
          most = Math.max(most, open);
          await new Promise((resolve) => setTimeout(resolve, 20));
          if (step.signal.aborted) runs.push(`stopped ${n}`);
          open--;
          runs.push(`pass ${n}`);
          return n;
        },
      }),
      hang: task({
        type: 'text',
        run: (_, step) =>
          new Promise((_resolve, reject) => {
            runs.push('hang begins');
            step.signal.addEventListener('abort', () => {
              runs.push('hang stopped');
              reject(step.signal.reason);
            });
          }),
      }),
    },
  });
  return { workflow, most: () => most };
};

describe('the jobs of a round', () => {
  const calls = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ id: `c${n}`, name: 'pass', arguments: { n } }));

  test('run in parallel under the limit that they share', async () => {
    const { workflow, most } = gates();
    const { tools } = await setUp({ engine: limitEngine(3) }, workflow);
    const { outputs } = await runCalls(calls(12), tools, { now, concurrency: 12 });
    expect(outputs.map((output) => envelope(output)['content'])).toEqual(
      calls(12).map(({ arguments: { n } }) => String(n)),
    );
    expect(most()).toBe(3);
  });

  test('are one where they are the same', async () => {
    const { workflow } = gates();
    const { tools } = await setUp({}, workflow);
    const same = ['a', 'b', 'c'].map((id) => ({ id, name: 'pass', arguments: { n: 7 } }));
    const { outputs } = await runCalls(same, tools, { now });
    expect(outputs.map((output) => envelope(output)['content'])).toEqual(['7', '7', '7']);
    expect(runs).toEqual(['pass 7']);
  });

  test('stop with the round, and when their time is up', async () => {
    const { workflow } = gates();
    const { tools, context } = await setUp({}, workflow);
    const controller = new AbortController();
    const round = runCalls([{ id: 'a', name: 'hang', arguments: {} }], tools, { now, signal: controller.signal });
    await expect.poll(() => runs).toEqual(['hang begins']);
    controller.abort(new Error('enough'));
    expect(envelope((await round).outputs[0])['error']).toBe('aborted');
    const job = await createJob(workflow, 'hang', {}, { context });
    await expect.poll(async () => (await job.read()).status).toBe('aborted');
    expect(runs).toEqual(['hang begins', 'hang stopped']);
    const [late] = await answer([{ id: 'a', name: 'hang', arguments: {} }], [...tools], { timeLimit: 500 });
    expect(late?.['error']).toBe('timeout');
    await expect.poll(() => runs).toHaveLength(4);
  });
});

describe('a job that asks for itself', () => {
  const ask = (name: string, given: unknown, tools: readonly Tool[]) =>
    runCalls([{ id: 'inner', name, arguments: given }], tools, { now });

  const loops = () => {
    let tools: readonly Tool[] = [];
    const workflow = defineWorkflow({
      name: 'Loops',
      tasks: {
        self: task({
          type: 'text',
          run: async () => exception(envelope((await ask('self', {}, tools)).outputs[0])),
        }),
        round: task({
          input: z.object({ n: z.number() }),
          type: 'text',
          run: async ({ n }) => String(envelope((await ask('round', { n: (n + 1) % 3 }, tools)).outputs[0])['content']),
        }),
        deep: task({
          input: z.object({ n: z.number() }),
          type: 'integer',
          run: async ({ n }): Promise<number> =>
            n === 0 ? 0 : 1 + Number(envelope((await ask('deep', { n: n - 1 }, tools)).outputs[0])['content']),
        }),
      },
    });
    return {
      workflow,
      use: (made: readonly Tool[]) => {
        tools = made;
      },
    };
  };

  test('gets an error that says so, at once', async () => {
    const { workflow, use } = loops();
    const { tools, call } = await setUp({}, workflow);
    use(tools);
    expect((await call('self', {}))['content']).toContain('Loops/self/Default is needed by itself');
    expect((await call('round', { n: 0 }))['content']).toContain('is needed by itself');
  });

  test('through others of other inputs may run, also where each takes a place', async () => {
    const { workflow, use } = loops();
    const { tools, call } = await setUp({ engine: limitEngine(2) }, workflow);
    use(tools);
    expect((await call('deep', { n: 6 }))['content']).toBe('6');
  });
});

test('a chat declares them, with fixed and hidden inputs', async () => {
  const { tools: made, ...rest } = await setUp();
  const workflow = (name: string) => (name === 'Kitchen' ? { ...rest, tools: made } : undefined);
  const chat = parseChat('introduce: Kitchen\ntool: Kitchen mix flour=7 jobname=fixed\nuser: go', { file: 'm.chat' });
  const { chat: left, tools } = await takeTools(chat, { workflow });
  expect(left.map(({ content }) => content)).toEqual(['# Bread\n\nMakes bread.', 'go']);
  expect(Object.keys(toolDefinition(tools[0]!).parameters['properties'] as object)).toEqual(['kind']);
  const { outputs } = await runCalls([{ id: 'c', name: 'mix', arguments: {} }], tools, { now });
  expect(envelope(outputs[0])).toMatchObject({ content: '14', step: expect.stringMatching(/^Kitchen\/mix\/fixed_/) });
  const all = await takeTools(parseChat('tool: Kitchen'), { workflow });
  expect(all.tools.map(({ name }) => name)).toEqual(['mix', 'bake']);
});

test('a job that took too long, or that somebody stopped, is told apart from one that failed', async () => {
  const slow = (timeLimit?: number) =>
    task({
      type: 'text',
      ...(timeLimit === undefined ? {} : { timeLimit }),
      run: async (_, { signal }) =>
        new Promise<string>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
    });
  const workflow = defineWorkflow({ name: 'Kitchen', tasks: { rise: slow(20), rest: slow() } });
  const { call, context } = await setUp({}, workflow);
  expect(await call('rise', {})).toMatchObject({ error: 'timeout', step: expect.stringMatching(/^Kitchen/) });
  const job = await createJob(workflow, 'rest', {}, { context });
  const asked = call('rest', {});
  await expect.poll(async () => (await job.read()).running).toBe(true);
  await job.abort('enough');
  expect(await asked).toMatchObject({ error: 'aborted' });
});

test('the job of a call keeps what is known of the request', async () => {
  const { call, context } = await setUp();
  await call('mix', { flour: 3 }, { toolContext: { requestContext: { caller: '/x.chat', key: 'sk-1' } } });
  const { info } = await (await createJob(kitchen, 'mix', { flour: 3 }, { context })).read();
  expect(info['request_context']).toEqual({ version: 1, fields: { caller: '/x.chat' } });
});
