import { z } from 'zod';
import { type FindWorkflow, taskInputs, taskOf } from './task-inputs.js';
import type { Workflow } from './workflow.js';

/** A JSON Schema as plain data. */
export type JsonSchema = Record<string, unknown>;

/**
 * JSON Schema of what a task can be given: own inputs, then inherited ones, with descriptions and defaults; `required` are those
 * that have to be given. What JSON Schema can't say (dates, functions) accepts anything.
 */
export const inputSchema = async (
  workflow: Workflow,
  task: string,
  findWorkflow: FindWorkflow,
): Promise<JsonSchema> => {
  const inputs = await taskInputs(workflow, task, findWorkflow);
  const shape = Object.fromEntries(
    inputs.map(({ name, schema, required }) => [name, required ? schema : schema.optional()]),
  );
  const rest = taskOf(workflow, task).input?.def.catchall;
  const schema = rest ? z.object(shape).catchall(rest as z.core.$ZodType & z.ZodType) : z.strictObject(shape);
  const { $schema: _, ...printed } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return printed;
};
