import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineWorkflow, type Task, type WorkflowContext } from '@colophon/workflow';
import { nodeContext } from '@colophon/workflow/node';
import { makeFolder } from './folder.js';

/** A context with one workflow `Test` of these tasks, in a folder that is removed when the test ends. */
export const contextOf = (
  tasks: Record<string, Task>,
  options: Partial<Parameters<typeof nodeContext>[0]> = {},
): WorkflowContext => {
  const Test = defineWorkflow({ name: 'Test', tasks });
  return nodeContext({ roots: [makeFolder()], ...options, workflows: { Test, ...options.workflows } });
};

/** Names in the folder of a task, hidden ones among them. */
export const namesOf = ({ jobs }: WorkflowContext, task: string): string[] =>
  readdirSync(join(jobs, 'Test', task)).sort();
