import type { AskOptions } from '@colophon/backends';
import { type AgentContext, withOwnWorkflow } from './agent-context.js';
import type { AgentDefinition } from './agent-definition.js';
import { attachTool } from './attach-tool.js';
import type { Society } from './society.js';

/** Options that make a call an agent's: its tools, and a context in which its workflow and its society are found. */
export const agentOptions = (
  definition: AgentDefinition,
  context: AgentContext,
  society: Society,
): AskOptions & { context: AgentContext } => {
  const own = withOwnWorkflow(definition, context);
  return {
    context: {
      ...own,
      toolSources: {
        ...own.toolSources,
        socialize: () => society.askTools(society, own),
        attachments: () => [attachTool()],
      },
    },
    ...(definition.tools ? { tools: definition.tools } : {}),
  };
};
