import type { Workflow } from '@colophon/workflow';
import type { MachineContext } from './context.js';
import { workflowContext } from './workflow-context.js';

/** The workflow of a name, loaded. Throws `unknown_workflow` with the places looked at, and what loading throws. */
export const needWorkflow = async (name: string, context: MachineContext): Promise<Workflow> => {
  const found = await (await workflowContext(context)).findWorkflow(name);
  if (found) return found;
  const { locateWorkflow, unknownWorkflowError } = await import('@colophon/workflow');
  throw unknownWorkflowError(name, await locateWorkflow(name, { roots: context.roots.map(({ path }) => path) }));
};
