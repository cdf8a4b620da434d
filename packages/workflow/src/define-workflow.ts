import type { z } from 'zod';
import { checkWorkflow } from './check-workflow.js';
import type { Step } from './job.js';
import { type ResultTypes, resultTypes } from './result-types.js';
import type { CommandLine, Dependency, Task, Workflow } from './workflow.js';

/** What a task is made of; `run` gets the values that its `input` yields. */
export type TaskDefinition<Input extends z.ZodObject, Result> = Omit<Task, 'input' | 'run' | 'program'> & {
  input?: Input;
  run: (inputs: z.output<Input>, step: Step) => Result;
};

/** A task, its function's inputs typed by its schema. */
export const task = <Input extends z.ZodObject = z.ZodObject<Record<never, never>>, Result = unknown>(
  definition: TaskDefinition<Input, Result>,
): Task => definition;

/** A dependency on a task of the same workflow, or with `{workflow}` of another one. */
export const dependency = (task: string, options: Omit<Dependency, 'task'> = {}): Dependency => ({ task, ...options });

/** What a task of a program is made of: the program, its inputs, and how it gets them. */
export type CommandDefinition = Omit<Task, 'run' | 'program'> & CommandLine;

/** A task whose result is the standard output of a program. Inputs go where `passing` says; see `CommandLine`. */
export const command = ({ argv, script, passing, ...definition }: CommandDefinition): Task => ({
  ...definition,
  program: {
    ...(argv === undefined ? {} : { argv }),
    ...(script === undefined ? {} : { script }),
    ...(passing === undefined ? {} : { passing }),
  },
  run: (_: never, step: Step) => {
    throw new Error(`${step.workflow} ${step.task} is a program, which only a runner of programs can run.`);
  },
});

/**
 * Checks a workflow and returns it. `types`: the result types that its tasks may have, the package's own unless told otherwise.
 * Throws `bad_workflow`, which names what is wrong, where, and what to do.
 */
export const defineWorkflow = <Defined extends Workflow>(
  definition: Defined,
  { types = resultTypes }: { types?: ResultTypes } = {},
): Defined => {
  checkWorkflow(definition, types);
  return definition;
};
