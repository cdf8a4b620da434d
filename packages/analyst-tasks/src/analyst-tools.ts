import { defineTool, type Tool } from '@colophon/tools';
import { z } from 'zod';
import { inputOf, runTask } from './run-task.js';
import type { AnalystContext, AnalystTask } from './task.js';
import { tasks } from './tasks.js';

const toTool = (task: AnalystTask, context: () => AnalystContext): Tool =>
  defineTool({
    name: task.name,
    description: task.description,
    parameters: z.toJSONSchema(inputOf(task), { io: 'input' }),
    readOnly: task.writes !== true,
    destructive: false,
    idempotent: task.writes !== true,
    origin: `analyst task ${task.name}`,
    run: (parameters, { signal }) => runTask(task.name, parameters, { ...context(), signal }, tasks),
  });

/**
 * The tasks as tools, for a model or to be served over MCP. `context` is asked for at each call, so that what is on disk then is what is
 * reported.
 */
export const analystTools = (context: () => AnalystContext): Tool[] =>
  Object.values(tasks).map((task) => toTool(task, context));
