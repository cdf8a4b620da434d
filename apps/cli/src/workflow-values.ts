import { listWorkflows } from '@colophon/workflow';
import type { Candidate } from './complete-words.js';
import type { MachineContext } from './context.js';
import { describeInputs } from './describe-task.js';
import { workflowContext } from './workflow-context.js';

/** The workflows that are found, for completion. */
export const workflowValues = async ({ roots }: MachineContext): Promise<Candidate[]> =>
  (await listWorkflows({ roots: roots.map(({ path }) => path) }))
    .filter(({ shadowed }) => !shadowed)
    .map(({ name, title = '' }) => ({ value: name, description: title }));

// Completion stays silent about what can't be loaded.
const load = async (name: string | undefined, context: MachineContext) => {
  const jobs = await workflowContext(context);
  const workflow = name === undefined ? undefined : await jobs.findWorkflow(name).catch(() => undefined);
  return { jobs, workflow };
};

/** The tasks of the workflow that is the first word. */
export const taskValues = async (context: MachineContext, [name]: readonly string[]): Promise<Candidate[]> => {
  const { workflow } = await load(name, context);
  return Object.entries(workflow?.tasks ?? {}).map(([value, { description = '' }]) => ({ value, description }));
};

/** The inputs of the task that the first two words name, as flags. */
export const inputValues = async (
  context: MachineContext,
  [name, task = '']: readonly string[],
): Promise<Candidate[]> => {
  const { workflow, jobs } = await load(name, context);
  if (!workflow || !Object.hasOwn(workflow.tasks, task)) return [];
  const inputs = await describeInputs(workflow, task, jobs.findWorkflow).catch(() => []);
  return inputs.map(({ name: input, description = '' }) => ({ value: `--${input}`, description }));
};
