import { isRecord } from './is-record.js';
import type { JsonSchema } from './tool.js';

/** Arguments of a call of a task that are no inputs of it, by name. A task's own input of that name is an input. */
export const callArguments = {
  jobname: { type: 'string', description: 'Name of the job that keeps the result.' },
  return_path: {
    type: 'boolean',
    description: 'Return the path of the file that holds the result, which may then be read, instead of its content.',
  },
} as const;

const propertiesOf = ({ properties }: JsonSchema): Record<string, unknown> => (isRecord(properties) ? properties : {});

/** The inputs of a task as parameters of a tool: with `return_path` where it is offered, and `jobname`, of which no model is told. */
export const withCallArguments = (inputs: JsonSchema, offersPath: boolean): JsonSchema => {
  const { jobname, return_path } = callArguments;
  return {
    ...inputs,
    properties: { ...(offersPath ? { return_path } : {}), ...propertiesOf(inputs) },
    hidden: { jobname },
  };
};

/** What a call asks for, its inputs apart from its other arguments. `inputs`: the schema of the task's inputs. */
export const takeCallArguments = (
  given: Record<string, unknown>,
  inputs: JsonSchema,
): { values: Record<string, unknown>; jobName?: string; returnPath: boolean } => {
  const own = propertiesOf(inputs);
  const values = { ...given };
  const take = (name: keyof typeof callArguments): unknown => {
    if (Object.hasOwn(own, name)) return undefined;
    const value = values[name];
    delete values[name];
    return value;
  };
  const jobName = take('jobname');
  // Fixed in a declaration without a type it is text.
  const returnPath = ['true', true].includes(take('return_path') as never);
  return { values, returnPath, ...(typeof jobName === 'string' && jobName !== '' ? { jobName } : {}) };
};
