import type { z } from 'zod';
import { badInputError, type InputProblem, unknownInputError } from './input-errors.js';
import { findNotPlain, isSame } from './plain-value.js';
import { type FindWorkflow, type TaskInput, taskInputs, taskOf } from './task-inputs.js';
import type { Dependency, Inputs, Workflow } from './workflow.js';

/**
 * The inputs of one job. `inputs`: all, own and inherited, defaults filled in, as plain values; `own`: those that the task's
 * function gets; `provided`: those of `inputs` that were given and differ from their default; `passed`: what jobs that it needs
 * are offered, as it was given, or the default of an own input.
 */
export type ReadInputs = { inputs: Inputs; own: Inputs; provided: Inputs; passed: Inputs };

const toProblems = (issues: readonly z.core.$ZodIssue[], given: Inputs): InputProblem[] =>
  issues.map(({ path, message }) => {
    const [name, ...below] = path.map(String);
    // What a schema says of all inputs together.
    if (name === undefined) return { name: 'inputs', received: given, expected: message };
    const missing = !Object.hasOwn(given, name);
    return {
      name: [name, ...below].join('.'),
      received:
        below.length > 0
          ? below.reduce<unknown>((value, key) => (value as Inputs | undefined)?.[key], given[name])
          : missing
            ? undefined
            : given[name],
      expected: missing ? `it is required (${message})` : message,
    };
  });

const withoutAbsent = (values: Inputs): Inputs =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));

/** The same values with nothing behind them: an input may be called `constructor` or `toString`. */
const withoutPrototype = (values: Inputs): Inputs => Object.assign(Object.create(null), values);

/** A copy that no caller can change, as JSON gives it back. */
const toPlain = (values: Inputs): Inputs => JSON.parse(JSON.stringify(values));

const isOpen = (schema: z.ZodObject | undefined): boolean => {
  const rest = schema?.def.catchall;
  return rest !== undefined && rest._zod.def.type !== 'never';
};

/**
 * Reads the inputs of a job: checks names and values by the schemas, fills in defaults. Values are taken as they are: a text is
 * never replaced by the content of a file it names. Throws `unknown_input`, `bad_input`, and what `taskInputs` throws.
 */
export const readInputs = async (
  workflow: Workflow,
  task: string,
  given: Inputs,
  findWorkflow: FindWorkflow,
  known?: Map<string, TaskInput[]>,
): Promise<ReadInputs> => {
  const place = { workflow: workflow.name, task };
  const { input: schema } = taskOf(workflow, task);
  const all = await taskInputs(workflow, task, findWorkflow, known);
  const values = withoutAbsent(given);
  const names = new Set(all.map(({ name }) => name));
  const unknown = Object.keys(values).filter((name) => !names.has(name));
  if (unknown.length > 0 && !isOpen(schema)) throw unknownInputError(place, unknown, [...names]);
  const inherited = all.filter((one) => one.inherited);
  const below = new Set(inherited.map(({ name }) => name));
  const ownGiven = Object.fromEntries(Object.entries(values).filter(([name]) => !below.has(name)));
  const parsed = await schema?.safeParseAsync(withoutPrototype(ownGiven));
  const problems = parsed?.success === false ? toProblems(parsed.error.issues, values) : [];
  const own = withoutAbsent((parsed?.data ?? {}) as Inputs);
  const rest = await readInherited(inherited, values, problems);
  const found = { ...own, ...rest };
  if (problems.length === 0)
    for (const [name, value] of Object.entries(found)) {
      const odd = findNotPlain(value);
      if (odd)
        problems.push({
          name,
          received: values[name],
          expected: `it becomes ${odd.found}${odd.path && ` at ${odd.path}`}, which JSON can't hold: give text, numbers, lists or objects`,
        });
    }
  if (problems.length > 0) throw badInputError(place, problems);
  const inputs = toPlain(found);
  return {
    inputs,
    own: pick(inputs, Object.keys(own)),
    provided: await findProvided(all, values, inputs),
    passed: { ...pick(inputs, Object.keys(own)), ...values },
  };
};

const pick = (values: Inputs, names: readonly string[]): Inputs =>
  Object.fromEntries(names.filter((name) => Object.hasOwn(values, name)).map((name) => [name, values[name]]));

const readInherited = async (
  inputs: readonly TaskInput[],
  given: Inputs,
  problems: InputProblem[],
): Promise<Inputs> => {
  const values: Inputs = {};
  for (const { name, schema, required } of inputs) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined && !required) {
      const { data } = await schema.safeParseAsync(undefined);
      if (data !== undefined) values[name] = data;
      continue;
    }
    const parsed = await schema.safeParseAsync(value);
    if (parsed.success) values[name] = parsed.data;
    else
      problems.push(
        ...toProblems(
          parsed.error.issues.map((issue) => ({ ...issue, path: [name, ...issue.path] })),
          given,
        ),
      );
  }
  return values;
};

const findProvided = async (all: readonly TaskInput[], given: Inputs, inputs: Inputs): Promise<Inputs> => {
  const schemas = new Map(all.map(({ name, schema }) => [name, schema]));
  const provided: Inputs = {};
  for (const name of Object.keys(inputs)) {
    if (!Object.hasOwn(given, name)) continue;
    const standard = await schemas.get(name)?.safeParseAsync(undefined);
    const isDefault =
      standard?.success && findNotPlain(standard.data) === undefined && isSame(standard.data, inputs[name]);
    if (!isDefault) provided[name] = inputs[name];
  }
  return provided;
};

/**
 * What the job of a dependency is given: those of the `passed` inputs that it has, and over them what the declaration fixes. A
 * list where its function returns one. `inputs` are all of the job that needs it, `names` all that the dependency takes.
 */
export const dependencyInputs = (
  { inputs: fixed = {} }: Dependency,
  { inputs, passed }: Pick<ReadInputs, 'inputs' | 'passed'>,
  names: readonly string[],
): Inputs | Inputs[] => {
  const offered = pick(passed, names);
  const own = typeof fixed === 'function' ? fixed(inputs) : fixed;
  return Array.isArray(own) ? own.map((one) => ({ ...offered, ...one })) : { ...offered, ...own };
};
