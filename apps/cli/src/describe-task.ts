import { inputSchema, type Task, taskInputs, type Workflow } from '@colophon/workflow';
import { schemaTypes } from './read-inputs.js';

/** One input as a person or a program reads of it. */
export type InputFacts = {
  name: string;
  types: string[];
  required: boolean;
  default?: unknown;
  choices?: unknown[];
  description?: string;
  /** The task that it is passed on to, where it is not this one's own. */
  from?: string;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The inputs of a task, own ones first, then those of the tasks that it needs. */
export const describeInputs = async (
  workflow: Workflow,
  task: string,
  findWorkflow: (name: string) => Promise<Workflow | undefined>,
): Promise<InputFacts[]> => {
  const [inputs, schema] = await Promise.all([
    taskInputs(workflow, task, findWorkflow),
    inputSchema(workflow, task, findWorkflow),
  ]);
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  return inputs.map(({ name, workflow: owner, task: owned, inherited, required }) => {
    const property = isRecord(properties[name]) ? properties[name] : {};
    const { default: standard, description, enum: choices } = property;
    return {
      name,
      types: schemaTypes(property),
      required,
      ...(standard === undefined ? {} : { default: standard }),
      ...(Array.isArray(choices) ? { choices } : {}),
      ...(typeof description === 'string' ? { description } : {}),
      ...(inherited ? { from: owner === workflow.name ? owned : `${owner} ${owned}` } : {}),
    };
  });
};

/** What a task needs, each as `task` or `Workflow task`. */
export const describeNeeds = ({ needs = {} }: Task): string[] =>
  Object.values(needs).map(({ workflow, task }) => (workflow === undefined ? task : `${workflow} ${task}`));
