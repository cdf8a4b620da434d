import { basename, dirname } from 'node:path';
import type { AskContext } from '@colophon/backends';
import type { ToolSources, WorkflowTools } from '@colophon/tools';
import type { Workflow, WorkflowContext } from '@colophon/workflow';
import type { AgentDefinition } from './agent-definition.js';
import { noWorkflowTools } from './errors.js';

/** All that agents take from the machine: what asking takes, and for agents that have a workflow what loads and runs it. */
export type AgentContext = AskContext & {
  /** What `~/` stands for in the path of an agent. */
  home?: string;
  /** Loads a workflow's file. */
  loadWorkflow?: (file: string) => Promise<Workflow>;
  /** A workflow's tasks as tools. */
  workflowTools?: (workflow: Workflow) => Promise<WorkflowTools>;
  /** What jobs take from the machine, for agents that are asked by a job. */
  jobs?: () => Promise<WorkflowContext>;
};

/** The name under which an agent's own workflow is declared in its conversation. */
export const workflowName = ({ workflow }: AgentDefinition): string | undefined =>
  workflow === undefined ? undefined : basename(dirname(workflow));

/** A context in which the agent's own workflow is found by its name, before any other. */
export const withOwnWorkflow = (definition: AgentDefinition, context: AgentContext): AgentContext => {
  const { workflow: file, name } = definition;
  if (file === undefined) return context;
  const own = workflowName(definition);
  const workflow: NonNullable<ToolSources['workflow']> = async (asked, message) => {
    if (asked !== own) return context.toolSources?.workflow?.(asked, message);
    if (!context.loadWorkflow || !context.workflowTools) throw noWorkflowTools(name, file);
    const offered = await context.workflowTools(await context.loadWorkflow(file));
    // The task that answers in the agent's place is no tool of the agent.
    return { ...offered, tools: offered.tools.filter((tool) => tool.name !== 'ask') };
  };
  return { ...context, toolSources: { ...context.toolSources, workflow } };
};
