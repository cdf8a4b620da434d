import type { Message } from '@colophon/chat-format';
import { badDeclaration, missingEngine, unknownName } from '../errors.js';
import type { ToolSources, WorkflowTools } from './declaration.js';

/** The workflow that a declaration names, or the error that says why there is none. */
export const findWorkflow = async (
  name: string | undefined,
  message: Message,
  sources: ToolSources,
): Promise<WorkflowTools> => {
  if (name === undefined) throw badDeclaration(message, 'expected the name of a workflow');
  if (!sources.workflow) throw missingEngine(message, 'a workflow engine (`workflow`)');
  const workflow = await sources.workflow(name, message);
  if (!workflow) throw unknownName(message, 'workflow', name);
  return workflow;
};
