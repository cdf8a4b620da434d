import { type Tool, type WorkflowTools, type WorkflowToolsOptions, workflowTools } from '@colophon/tools';
import type { MachineContext } from './context.js';
import { usageError } from './errors.js';
import { needWorkflow } from './need-workflow.js';
import { workflowContext } from './workflow-context.js';

const exportedTools = ({ tools, exported = [] }: WorkflowTools): readonly Tool[] =>
  exported.length > 0 ? tools.filter(({ name }) => exported.includes(name)) : tools;

/**
 * The tools of what a person names: those that a workflow exports (all where it exports none), or one task as
 * `Workflow/task`; `analyst` names the reports on sessions, which are no jobs.
 */
export const namedTools = async (
  name: string,
  context: MachineContext,
  options: WorkflowToolsOptions,
): Promise<readonly Tool[]> => {
  if (name === 'analyst') {
    const [{ analystTools }, { analystContext }] = await Promise.all([
      import('@colophon/analyst-tasks'),
      import('./analyst-run.js'),
    ]);
    return analystTools(() => analystContext(context));
  }
  const [workflowName = '', task] = name.split('/');
  const workflow = await workflowTools(
    await needWorkflow(workflowName, context),
    await workflowContext(context),
    options,
  );
  if (task === undefined) return exportedTools(workflow);
  const found = workflow.tools.filter((tool) => tool.name === task);
  if (found.length > 0) return found;
  throw usageError(`${workflowName} has no task ${task}; it has ${workflow.tools.map((tool) => tool.name).join(', ')}`);
};
