import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type ColophonError,
  defineWorkflow,
  dependency,
  dependencyInputs,
  type FixedInputs,
  inputSchema,
  readInputs,
  task,
  taskInputs,
  type Workflow,
} from '@colophon/workflow';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

const run = (): string => '';

const store = defineWorkflow({
  name: 'Store',
  tasks: {
    fetch: task({
      type: 'text',
      input: z.object({ shelf: z.string().describe('where it stands'), cold: z.boolean().default(false) }),
      run,
    }),
  },
});
const prototypes: Workflow = defineWorkflow({
  name: 'Prototypes',
  tasks: {
    all: task({
      type: 'json',
      input: z.object({
        constructor: z.string(),
        toString: z.string().optional(),
        valueOf: z.number().default(3),
      }),
      run,
    }),
    ordered: task({
      type: 'json',
      input: z.object({ from: z.number(), to: z.number() }).refine(({ from, to }) => from < to, 'from is above to'),
      run,
    }),
    lenient: task({
      type: 'json',
      input: z.object({ name: z.string(), any: z.any(), size: z.number().catch(7) }),
      run,
    }),
  },
});
const kitchen: Workflow = defineWorkflow({
  name: 'Kitchen',
  tasks: {
    mix: task({
      type: 'json',
      input: z.object({ flour: z.number().min(1).describe('grams'), salt: z.number().default(5) }),
      needs: { stock: dependency('fetch', { workflow: 'Store', inputs: { cold: true } }) },
      run,
    }),
    bake: task({
      type: 'text',
      input: z.object({ minutes: z.number().int().default(20) }),
      needs: { dough: dependency('mix') },
      run,
    }),
    fixed: task({ type: 'text', needs: { dough: dependency('mix', { inputs: { flour: 3, shelf: 'b' } }) }, run }),
    computed: task({
      type: 'text',
      input: z.object({ loaves: z.number() }),
      needs: { dough: dependency('mix', { inputs: ({ loaves }) => ({ flour: Number(loaves) * 500 }) }) },
      run,
    }),
    shapes: task({
      type: 'text',
      input: z.object({
        path: z.string().optional(),
        day: z.any().optional(),
        api_key: z.string().regex(/^k/).optional(),
        list: z.array(z.object({ size: z.number() })).optional(),
        upper: z
          .string()
          .transform((text) => text.toUpperCase())
          .default('X'),
      }),
      run,
    }),
    both: task({ type: 'text', needs: { a: dependency('left'), b: dependency('right') }, run }),
    left: task({
      type: 'text',
      input: z.object({ tone: z.string().default('warm'), only: z.number().default(1) }),
      run,
    }),
    right: task({ type: 'text', input: z.object({ tone: z.string().default('cool') }), run }),
    open: task({ type: 'text', input: z.looseObject({ a: z.number().default(1) }), run }),
  },
});

const find = async (name: string): Promise<Workflow | undefined> => ({ Store: store, Kitchen: kitchen })[name];
const read = (name: string, given: Record<string, unknown>) => readInputs(kitchen, name, given, find);
const failure = (name: string, given: Record<string, unknown>): Promise<ColophonError> =>
  read(name, given).then(
    () => Promise.reject(new Error('It was taken.')),
    (error: ColophonError) => error,
  );

describe('the inputs of a task', () => {
  test('are its own, then those of what it needs, across workflows, without what is fixed', async () => {
    const inputs = await taskInputs(kitchen, 'bake', find);
    expect(
      inputs.map(({ name, workflow, task: owner, inherited, required }) => [
        name,
        `${workflow} ${owner}`,
        inherited,
        required,
      ]),
    ).toEqual([
      ['minutes', 'Kitchen bake', false, false],
      ['flour', 'Kitchen mix', true, true],
      ['salt', 'Kitchen mix', true, false],
      ['shelf', 'Store fetch', true, true],
    ]);
    expect((await taskInputs(kitchen, 'fixed', find)).map(({ name }) => name)).toEqual(['salt']);
  });

  test('need not be given where a function may fix them', async () => {
    const inputs = await taskInputs(kitchen, 'computed', find);
    expect(inputs.filter(({ required }) => required).map(({ name }) => name)).toEqual(['loaves']);
  });

  test('of a task, workflow or circle that is wrong are told', async () => {
    await expect(taskInputs(kitchen, 'bak', find)).rejects.toThrow(
      'The workflow Kitchen has no task "bak". Did you mean "bake"? It has mix, bake,',
    );
    await expect(taskInputs(kitchen, 'constructor', find)).rejects.toMatchObject({ code: 'unknown_task' });
    await expect(taskInputs(kitchen, 'bake', async () => undefined)).rejects.toMatchObject({
      code: 'unknown_workflow',
    });
    const a: Workflow = {
      name: 'A',
      tasks: { x: task({ type: 'text', needs: { y: dependency('y', { workflow: 'B' }) }, run }) },
    };
    const b: Workflow = {
      name: 'B',
      tasks: { y: task({ type: 'text', needs: { x: dependency('x', { workflow: 'A' }) }, run }) },
    };
    await expect(taskInputs(a, 'x', async (name) => (name === 'A' ? a : b))).rejects.toMatchObject({
      code: 'dependency_cycle',
      message: expect.stringContaining('A x → B y → A x'),
    });
  });
});

describe('values', () => {
  test('get defaults, and those that were given and differ from them are provided', async () => {
    expect(await read('bake', { flour: 500, shelf: 'a', minutes: 20 })).toEqual({
      inputs: { minutes: 20, flour: 500, salt: 5, shelf: 'a' },
      own: { minutes: 20 },
      provided: { flour: 500, shelf: 'a' },
      passed: { minutes: 20, flour: 500, shelf: 'a' },
    });
  });

  test('are checked by the schemas; all that is wrong is told at once', async () => {
    const error = await failure('bake', { minutes: 'long', flour: 0 });
    expect(error.code).toBe('bad_input');
    expect(error.message.split('\n')).toEqual([
      "Kitchen bake can't take what it was given:",
      expect.stringMatching(/^ {2}minutes: got "long"; .*expected number/),
      expect.stringMatching(/^ {2}flour: got 0; .*>=1/),
      expect.stringMatching(/^ {2}shelf: got nothing; it is required \(.*expected string/),
      'Correct that; nothing was run.',
    ]);
    expect((await failure('shapes', { list: [{ size: 1 }, { size: 'x' }] })).message).toMatch(
      /list\.1\.size: got "x"; .*expected number/,
    );
  });

  test('under a name that is no input are refused, with the name that was meant', async () => {
    const error = await failure('bake', { flour: 1, shelf: 'a', minuts: 3 });
    expect(error).toMatchObject({
      code: 'unknown_input',
      message: 'Kitchen bake has no input "minuts". Did you mean "minutes"? It has minutes, flour, salt, shelf.',
    });
    await expect(read('fixed', { flour: 4 })).rejects.toMatchObject({ code: 'unknown_input' });
    await expect(read('bake', { ...{ flour: 1, shelf: 'a' }, ...JSON.parse('{"__proto__":1}') })).rejects.toMatchObject(
      { code: 'unknown_input' },
    );
    expect((await read('open', { b: 2 })).inputs).toEqual({ a: 1, b: 2 });
  });

  test('that are text stay that text, also where a file has its name', async () => {
    const file = fileURLToPath(import.meta.url);
    expect(readFileSync(file, 'utf8')).not.toBe('');
    expect((await read('shapes', { path: file })).inputs['path']).toBe(file);
    expect((await read('shapes', { path: ' 5 ' })).inputs['path']).toBe(' 5 ');
  });

  test.each([
    ['a Date', new Date(0)],
    ['a bigint', 10n],
    ['NaN', Number.NaN],
    ['a Map', new Map()],
    [
      'a circle',
      (() => {
        const list: unknown[] = [];
        list.push(list);
        return list;
      })(),
    ],
    ['undefined at [0]', [undefined]],
  ])('that JSON can not hold are refused: %s', async (found, day) => {
    expect((await failure('shapes', { day })).message).toContain(`day: got `);
    expect((await failure('shapes', { day })).message).toContain(`it becomes ${found}`);
  });

  test('are copies in which nothing is left that JSON has not', async () => {
    const day = { zero: -0, absent: undefined, list: [1] };
    const { inputs } = await read('shapes', { day, path: undefined });
    day.list.push(2);
    expect(inputs).toStrictEqual({ day: { zero: 0, list: [1] }, upper: 'X' });
  });

  test('may have the names of what every object has', async () => {
    expect((await readInputs(prototypes, 'all', { constructor: 'c' }, find)).inputs).toEqual(
      Object.fromEntries([
        ['constructor', 'c'],
        ['valueOf', 3],
      ]),
    );
    await expect(readInputs(prototypes, 'all', {}, find)).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining('constructor: got nothing; it is required'),
    });
  });

  test('that do not fit together are told together', async () => {
    await expect(readInputs(prototypes, 'ordered', { from: 2, to: 1 }, find)).rejects.toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining('inputs: got {"from":2,"to":1}; from is above to\n'),
    });
  });

  test('of secrets are not shown', async () => {
    expect((await failure('shapes', { api_key: 'hunter2' })).message).not.toContain('hunter2');
  });
});

describe('what a dependency is given', () => {
  const pass = async (name: string, key: string, given: Record<string, unknown>, fixed?: FixedInputs) => {
    const needed = kitchen.tasks[name]!.needs![key]!;
    const names = (await taskInputs(kitchen, needed.task, find)).map((one) => one.name);
    return dependencyInputs(
      { ...needed, ...(fixed === undefined ? {} : { inputs: fixed }) },
      await read(name, given),
      names,
    );
  };

  test('are the inputs that it has, as they were given, and over them what is fixed', async () => {
    expect(await pass('bake', 'dough', { flour: 2, shelf: 'a', minutes: 3 })).toEqual({ flour: 2, shelf: 'a' });
    expect(await pass('fixed', 'dough', { salt: 1 })).toEqual({ salt: 1, flour: 3, shelf: 'b' });
    expect(await pass('computed', 'dough', { loaves: 2, shelf: 'a' })).toEqual({ shelf: 'a', flour: 1000 });
    expect(await pass('computed', 'dough', { loaves: 2, shelf: 'a' }, () => [{ flour: 1 }, { flour: 2 }])).toEqual([
      { shelf: 'a', flour: 1 },
      { shelf: 'a', flour: 2 },
    ]);
  });

  test('keep their own defaults where nothing was given, and all get what was', async () => {
    expect([await pass('both', 'a', {}), await pass('both', 'b', {})]).toEqual([{}, {}]);
    expect([await pass('both', 'a', { tone: 'grey' }), await pass('both', 'b', { tone: 'grey' })]).toEqual([
      { tone: 'grey' },
      { tone: 'grey' },
    ]);
  });
});

test('a JSON Schema has own and inherited inputs, with descriptions and defaults', async () => {
  expect(await inputSchema(kitchen, 'bake', find)).toEqual({
    type: 'object',
    properties: {
      minutes: { type: 'integer', default: 20, minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
      flour: { type: 'number', minimum: 1, description: 'grams' },
      salt: { type: 'number', default: 5 },
      shelf: { type: 'string', description: 'where it stands' },
    },
    required: ['flour', 'shelf'],
    additionalProperties: false,
  });
  expect((await inputSchema(prototypes, 'lenient', find))['required']).toEqual(['name']);
  expect((await inputSchema(kitchen, 'computed', find))['required']).toEqual(['loaves']);
  expect((await inputSchema(kitchen, 'fixed', find))['properties']).toEqual({ salt: { type: 'number', default: 5 } });
  expect((await inputSchema(kitchen, 'open', find))['additionalProperties']).not.toBe(false);
});
