import {
  type ColophonError,
  command,
  defineWorkflow,
  dependency,
  resultTypes,
  type Step,
  task,
} from '@colophon/workflow';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';

const mix = task({
  type: 'json',
  input: z.object({ flour: z.number() }),
  run: ({ flour }) => ({ dough: flour * 1.6 }),
});
const bake = task({
  type: 'text',
  input: z.object({ minutes: z.number().int().default(20) }),
  needs: { dough: dependency('mix') },
  run: async ({ minutes }) => `${minutes}`,
});

const problem = (definition: unknown, options?: { types?: typeof resultTypes }): string => {
  try {
    defineWorkflow(definition as never, options);
    return 'none';
  } catch (error) {
    const { code, message } = error as ColophonError;
    return `${code}: ${message}`;
  }
};

test('a workflow is returned as it was defined', () => {
  const definition = { name: 'Kitchen', tasks: { mix, bake }, exported: ['bake'] };
  expect(defineWorkflow(definition)).toBe(definition);
});

test('the function of a task gets what its schema yields', () => {
  task({
    type: 'text',
    input: z.object({ minutes: z.number().default(20), at: z.string().optional() }),
    run: (inputs, step) => {
      expectTypeOf(inputs).toEqualTypeOf<{ minutes: number; at?: string | undefined }>();
      expectTypeOf(step).toEqualTypeOf<Step>();
      return '';
    },
  });
});

test('a command is a task with a program', () => {
  const { program, type, input } = command({
    argv: ['wc', '-w'],
    input: z.object({ text: z.string() }),
    type: 'integer',
    passing: { text: 'stdin' },
  });
  expect(program).toEqual({ argv: ['wc', '-w'], passing: { text: 'stdin' } });
  expect([type, Object.keys(input!.shape)]).toEqual(['integer', ['text']]);
  expect(problem({ name: 'Count', tasks: { words: command({ script: 'wc -w', type: 'integer' }) } })).toBe('none');
});

test('result types of a layer above count where they are told', () => {
  const tasks = { draw: { ...mix, type: 'picture' } };
  expect(problem({ name: 'A', tasks })).toMatch(/its type is "picture", expected one of string, text, .*chat\./);
  expect(problem({ name: 'A', tasks }, { types: { ...resultTypes, picture: resultTypes.binary } as never })).toBe(
    'none',
  );
});

const withTask = (changes: object, others: object = {}): unknown => ({
  name: 'A',
  tasks: { mix, ...others, odd: { ...mix, ...changes } },
});

describe('a definition that can not be meant says what was received, what is expected, and what to do', () => {
  test.each<[string, unknown, string | RegExp]>([
    ['nothing', undefined, 'bad_workflow: workflow: it is undefined, expected { name, tasks }.'],
    ['no name', { tasks: {} }, /^bad_workflow: workflow: its name is undefined, but a name is a plain file name/],
    ['a path as name', { name: '../x', tasks: {} }, /its name is "\.\.\/x".*Rename it\.$/],
    ['no tasks', { name: 'A' }, 'bad_workflow: workflow A: its tasks are undefined, expected { <name>: task({ … }) }.'],
    ['a list of tasks', { name: 'A', tasks: [mix] }, /its tasks are a list/],
    ['a path as task', { name: 'A', tasks: { 'a/b': mix } }, /workflow A: a task is called "a\/b", but a name is/],
    ['a task that takes the place of files', { name: 'A', tasks: { 'a.files': mix } }, /a task is called "a\.files"/],
    ['a function as task', { name: 'A', tasks: { odd: () => 1 } }, /task odd of A: it is a function\. Make it by task/],
    [
      'a mistyped type',
      withTask({ type: 'jsn' }),
      /task odd of A: its type is "jsn", expected one of .* Did you mean "json"\?$/,
    ],
    ['a type from a prototype', withTask({ type: 'constructor' }), /its type is "constructor", expected one of/],
    ['no function', withTask({ run: 'x' }), 'bad_workflow: task odd of A: run is "x", expected a function.'],
    [
      'inputs that are no object',
      withTask({ input: z.string() }),
      /its input is no object of zod 4\. Write: input: z\.object/,
    ],
    [
      'an input of no name',
      withTask({ input: z.object({ '': z.string() }) }),
      /an input is called "", which no object takes as a name of its own\. Rename it\.$/,
    ],
    ['an extension with a slash', withTask({ extension: 'a/b' }), /its extension is "a\/b", expected 1 to 16 letters/],
    ['the extension of an info', withTask({ extension: 'info' }), /its extension is "info"/],
    [
      'a negative retry',
      withTask({ retry: -1 }),
      'bad_workflow: task odd of A: retry is -1, expected a count of 0 or more.',
    ],
    ['no time', withTask({ timeLimit: 0 }), /timeLimit is 0, expected milliseconds above 0\.$/],
    ['neither argv nor script', withTask({ program: {} }), /it has neither argv nor script, expected one of them/],
    ['argv and script', withTask({ program: { argv: ['a'], script: 'b' } }), /it has both argv and script/],
    ['an empty argv', withTask({ program: { argv: [] } }), /argv is a list of texts, the program first/],
    [
      'an odd passing',
      withTask({ program: { argv: ['a'], passing: { flour: 'flags' } } }),
      /passing of "flour" is "flags", expected flag, environment or stdin/,
    ],
    [
      'two inputs on standard input',
      withTask({ program: { argv: ['a'], passing: { a: 'stdin', b: 'stdin' } } }),
      /one input can be standard input, not a and b/,
    ],
    [
      'passing of no input',
      withTask({ program: { argv: ['a'], passing: { flower: 'stdin' } } }),
      /passing names "flower", which is no input of it\. Did you mean "flour"\? It has flour\.$/,
    ],
    [
      'a job name of no input',
      withTask({ jobNameInput: 'flower' }),
      /jobNameInput names "flower", which is no input of it\. Did you mean "flour"\?/,
    ],
    [
      'a need that is missing',
      withTask({ needs: { dough: dependency('mx') } }),
      /task odd of A: needs\.dough names the task "mx", which is not there\. Did you mean "mix"\? The workflow has mix, odd; a task of another one is dependency\('…', \{ workflow: '…' \}\)\.$/,
    ],
    [
      'a need that is no dependency',
      withTask({ needs: { dough: 'mix' } }),
      /needs\.dough is "mix"\. Write: dough: dependency\('<task>'\)/,
    ],
    [
      'a need of an odd workflow',
      withTask({ needs: { dough: { task: 'mix', workflow: 5 } } }),
      /the workflow of needs\.dough is a number, expected its name/,
    ],
    [
      'a circle',
      withTask({ needs: { x: dependency('other') } }, { other: { ...mix, needs: { y: dependency('odd') } } }),
      'bad_workflow: workflow A: tasks need each other in a circle: other → odd → other. Take one of these dependencies out.',
    ],
    ['a task that needs itself', withTask({ needs: { x: dependency('odd') } }), /in a circle: odd → odd\./],
    [
      'a circle by its own name',
      withTask({ needs: { x: dependency('odd', { workflow: 'A' }) } }),
      /in a circle: odd → odd\./,
    ],
    [
      'an export that is no task',
      { name: 'A', tasks: { mix }, exported: ['mixx'] },
      /workflow A: exported names "mixx", which is no task\. Did you mean "mix"\? It has mix\.$/,
    ],
  ])('%s', (_, definition, message) => {
    expect(problem(definition)).toMatch(message);
  });
});

test('inputs that only another workflow knows can be named', () => {
  expect(problem(withTask({ needs: { far: dependency('x', { workflow: 'Other' }) }, jobNameInput: 'title' }))).toBe(
    'none',
  );
  expect(
    problem(
      withTask({
        needs: { dough: dependency('mix', { inputs: { flour: 1 } }) },
        input: z.object({}),
        jobNameInput: 'flour',
      }),
    ),
  ).toMatch(/no input/);
});

test('a long chain of needs that meet again is checked once each', () => {
  const tasks = Object.fromEntries(
    Array.from({ length: 200 }, (_, index) => [
      `t${index}`,
      {
        ...mix,
        needs: index === 199 ? {} : { a: dependency(`t${index + 1}`), b: dependency(`t${Math.min(199, index + 2)}`) },
      },
    ]),
  );
  expect(problem({ name: 'A', tasks })).toBe('none');
});
