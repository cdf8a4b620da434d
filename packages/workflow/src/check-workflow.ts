import { badWorkflowError, hint } from './definition-errors.js';
import { isPlainName } from './job-name.js';
import type { ResultTypes } from './result-types.js';
import type { CommandLine, Task, Workflow } from './workflow.js';

const show = (value: unknown): string =>
  typeof value === 'string'
    ? JSON.stringify(value)
    : value === null || value === undefined
      ? String(value)
      : `${Array.isArray(value) ? 'a list' : `a ${typeof value}`}`;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isText = (value: unknown): value is string => typeof value === 'string';

const plainName =
  'a name is a plain file name: not hidden, without slashes, control characters, "..", ".info" or ".files" at its end, at most 150 bytes. Rename it';

/** Names of the inputs that a task has within its workflow; `open` where it has more that only other workflows know. */
const namesOf = (
  { tasks }: Workflow,
  name: string,
  known = new Map<string, { names: Set<string>; open: boolean }>(),
): { names: Set<string>; open: boolean } => {
  const before = known.get(name);
  if (before) return before;
  const { input, needs = {} } = tasks[name]!;
  const found = { names: new Set(Object.keys(input?.shape ?? {})), open: false };
  known.set(name, found);
  for (const { workflow, task, inputs } of Object.values(needs)) {
    if (workflow !== undefined) found.open = true;
    else {
      const below = namesOf({ name: '', tasks }, task, known);
      const fixed = typeof inputs === 'function' ? {} : (inputs ?? {});
      for (const inner of below.names) if (!Object.hasOwn(fixed, inner)) found.names.add(inner);
      found.open ||= below.open;
    }
  }
  return found;
};

const programProblem = ({ argv, script, passing = {} }: CommandLine): string | undefined => {
  if ((argv === undefined) === (script === undefined))
    return `it has ${argv === undefined ? 'neither argv nor script' : 'both argv and script'}, expected one of them`;
  if (argv !== undefined && !(Array.isArray(argv) && argv.length > 0 && argv.every(isText)))
    return 'argv is a list of texts, the program first';
  if (script !== undefined && !isText(script)) return `script is ${show(script)}, expected text`;
  const ways = Object.entries(passing);
  const odd = ways.find(([, way]) => !['flag', 'environment', 'stdin'].includes(way));
  if (odd) return `passing of ${show(odd[0])} is ${show(odd[1])}, expected flag, environment or stdin`;
  const piped = ways.filter(([, way]) => way === 'stdin').map(([name]) => name);
  return piped.length > 1 ? `one input can be standard input, not ${piped.join(' and ')}` : undefined;
};

const taskProblem = (task: Task, types: ResultTypes): string | undefined => {
  if (!isObject(task)) return `it is ${show(task)}. Make it by task({ … }) or command({ … })`;
  const { input, type, extension, retry, timeLimit, program, run } = task;
  if (typeof run !== 'function') return `run is ${show(run)}, expected a function`;
  if (!isText(type) || !Object.hasOwn(types, type))
    return `its type is ${show(type)}, expected one of ${Object.keys(types).join(', ')}.${isText(type) ? hint(type, Object.keys(types)) : ''}`;
  if (input !== undefined && (input as { def?: { type?: string } })?.def?.type !== 'object')
    return `its input is no object of zod 4. Write: input: z.object({ … })`;
  const odd = Object.keys(input?.shape ?? {}).find((name) => name === '' || name === '__proto__');
  if (odd !== undefined)
    return `an input is called ${show(odd)}, which no object takes as a name of its own. Rename it`;
  if (extension !== undefined && !(isText(extension) && /^(?!(?:info|files|lock)$)[A-Za-z0-9]{1,16}$/.test(extension)))
    return `its extension is ${show(extension)}, expected 1 to 16 letters and digits without a dot, not info, files or lock`;
  if (retry !== undefined && !(Number.isInteger(retry) && retry >= 0))
    return `retry is ${retry}, expected a count of 0 or more`;
  if (timeLimit !== undefined && !(typeof timeLimit === 'number' && timeLimit > 0))
    return `timeLimit is ${timeLimit}, expected milliseconds above 0`;
  return program && programProblem(program);
};

/** Throws where a task that this one needs is not there, or the tasks of this workflow need each other in a circle. */
const checkNeeds = (workflow: Workflow): void => {
  const { name, tasks } = workflow;
  const names = Object.keys(tasks);
  const state = new Map<string, 'open' | 'done'>();
  const visit = (task: string, chain: string[]): void => {
    if (state.get(task) === 'done') return;
    if (state.get(task) === 'open')
      throw badWorkflowError(
        `workflow ${name}`,
        `tasks need each other in a circle: ${[...chain.slice(chain.indexOf(task)), task].join(' → ')}. Take one of these dependencies out.`,
      );
    state.set(task, 'open');
    for (const [key, needed] of Object.entries(tasks[task]!.needs ?? {})) {
      const place = `task ${task} of ${name}`;
      if (!isObject(needed) || !isText(needed.task))
        throw badWorkflowError(place, `needs.${key} is ${show(needed)}. Write: ${key}: dependency('<task>')`);
      if (needed.workflow !== undefined && needed.workflow !== name) {
        if (isText(needed.workflow)) continue;
        throw badWorkflowError(place, `the workflow of needs.${key} is ${show(needed.workflow)}, expected its name`);
      }
      if (!Object.hasOwn(tasks, needed.task))
        throw badWorkflowError(
          place,
          `needs.${key} names the task ${show(needed.task)}, which is not there.${hint(needed.task, names)} ` +
            `The workflow has ${names.join(', ')}; a task of another one is dependency('…', { workflow: '…' }).`,
        );
      visit(needed.task, [...chain, task]);
    }
    state.set(task, 'done');
  };
  for (const task of names) visit(task, []);
};

const checkInputNames = (workflow: Workflow): void => {
  const known = new Map<string, { names: Set<string>; open: boolean }>();
  for (const [name, task] of Object.entries(workflow.tasks)) {
    const { names, open } = namesOf(workflow, name, known);
    const used = [
      ...(task.jobNameInput === undefined ? [] : [['jobNameInput', task.jobNameInput] as const]),
      ...Object.keys(task.program?.passing ?? {}).map((input) => ['passing', input] as const),
    ];
    for (const [key, input] of used)
      if (!open && !names.has(input))
        throw badWorkflowError(
          `task ${name} of ${workflow.name}`,
          `${key} names ${show(input)}, which is no input of it.${hint(input, [...names])} It has ${[...names].join(', ') || 'none'}.`,
        );
  }
};

/** Throws `bad_workflow` for the first thing in a definition that can't be meant. Cost: the size of the definition. */
export const checkWorkflow = (workflow: Workflow, types: ResultTypes): void => {
  if (!isObject(workflow)) throw badWorkflowError('workflow', `it is ${show(workflow)}, expected { name, tasks }.`);
  const { name, tasks, exported } = workflow;
  if (!isText(name) || !isPlainName(name))
    throw badWorkflowError('workflow', `its name is ${show(name)}, but ${plainName}.`);
  if (!isObject(tasks))
    throw badWorkflowError(`workflow ${name}`, `its tasks are ${show(tasks)}, expected { <name>: task({ … }) }.`);
  for (const [key, task] of Object.entries(tasks)) {
    if (!isPlainName(key))
      throw badWorkflowError(`workflow ${name}`, `a task is called ${show(key)}, but ${plainName}.`);
    const problem = taskProblem(task, types);
    if (problem !== undefined)
      throw badWorkflowError(
        `task ${key} of ${name}`,
        `${problem}.`.replace(/[.?]\.$/, (end) => end[0]!),
      );
  }
  checkNeeds(workflow);
  checkInputNames(workflow);
  const odd = exported?.find((task) => !isText(task) || !Object.hasOwn(tasks, task));
  if (odd !== undefined)
    throw badWorkflowError(
      `workflow ${name}`,
      `exported names ${show(odd)}, which is no task.${isText(odd) ? hint(odd, Object.keys(tasks)) : ''} It has ${Object.keys(tasks).join(', ')}.`,
    );
};
