import type { AgentContext } from '@colophon/agent';
import type { AskContext } from '@colophon/backends';
import type { MachineContext } from './context.js';
import type { OpenSources } from './tool-sources.js';
import { programModules, workflowContext } from './workflow-context.js';

/** The agents of this machine, loaded when one is asked. A chat that is no agent's may ask them, too, where it says `socialize: true`. */
export const withAgents = (
  asking: AskContext,
  { workflowTools }: OpenSources,
  machine: MachineContext,
): AgentContext => {
  const agents = () => import('@colophon/agent');
  const context: AgentContext = {
    ...asking,
    home: machine.home,
    loadWorkflow: async (file) => (await import('@colophon/workflow')).loadWorkflow(file, { modules: programModules }),
    workflowTools,
    jobs: () => workflowContext(machine),
    agents: async (...words) => (await agents()).createAskAgent(context)(...words),
    toolSources: {
      ...asking.toolSources,
      attachments: async () => [(await agents()).attachTool()],
      socialize: async () => {
        const { createSociety } = await agents();
        const society = createSociety();
        return society.askTools(society, context);
      },
    },
  };
  return context;
};

/** All that an agent takes from this machine, for a program that is no `ask`; close it in the end. */
export const openAgentContext = async (machine: MachineContext) => {
  const [{ askContext }, { openSources }] = await Promise.all([
    import('./ask-context.js'),
    import('./tool-sources.js'),
  ]);
  const sources = openSources(machine);
  return { context: withAgents(askContext(machine, sources.sources), sources, machine), close: sources.close };
};
