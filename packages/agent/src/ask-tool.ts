import { type Tool, toolResult } from '@colophon/tools';
import { z } from 'zod';
import type { AgentContext } from './agent-context.js';
import { askSpecialist, type Call } from './ask-specialist.js';
import { callKey } from './call-key.js';
import { openConversation } from './conversation.js';
import { inheritance } from './inherit.js';
import { listAgents } from './list-agents.js';
import { loadAgent } from './load-agent.js';
import { folderOf, type Society } from './society.js';

const input = z.object({
  agent: z.string(),
  prompt: z.string(),
  conversation: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/)
    .optional(),
  inherit: z.enum(inheritance).default('tools'),
});

const parametersOf = (names: readonly string[]) => ({
  type: 'object',
  properties: {
    agent: { type: 'string', enum: names, description: 'name of the agent' },
    prompt: { type: 'string', description: 'what it is asked; it sees nothing else of this conversation' },
    conversation: {
      type: 'string',
      pattern: '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$',
      description: 'a name: the conversation with that agent goes on under it; without one the question stands alone',
    },
    inherit: {
      type: 'string',
      enum: [...inheritance],
      default: 'tools',
      description:
        'what it is given of this conversation when its own begins: nothing, the tools, or also what was said here',
    },
  },
  required: ['agent', 'prompt'],
  additionalProperties: false,
});

/** Milliseconds for which a call that was stopped is still waited for, so that what it paid for is told. */
export const grace = 10_000;

/** Why an agent can't be asked here; undefined where it can. */
export const whyNot = ({ ancestors, maxDepth }: Society, agent: string): string | undefined => {
  const line = [...ancestors, agent].join(' → ');
  if (ancestors.includes(agent))
    return `${agent} is already at work on this: ${line}. Answer yourself, or ask another agent.`;
  if (ancestors.length >= maxDepth)
    return `Agents may ask agents ${maxDepth} deep, and this would be deeper: ${line}. Answer yourself.`;
  return undefined;
};

const askTool = (society: Society, context: AgentContext, names: readonly string[]): Tool => ({
  name: 'ask',
  description: `Asks another agent and returns its answer. Agents: ${names.join(', ') || 'none'}.`,
  parameters: parametersOf(names),
  // A call that was interrupted finds its question in the conversation, and is not asked twice.
  idempotent: true,
  timeout: society.timeLimit,
  grace,
  run: async (given, toolContext) => {
    const call = toolContext as Call;
    const { agent, prompt, conversation: name, inherit } = input.parse(given);
    const problem = whyNot(society, agent);
    if (problem !== undefined) return toolResult({ content: problem, error: 'error' });
    const definition = await loadAgent(agent, context);
    const conversation = openConversation(society, agent, name ?? { call: callKey(call) }, folderOf(society, call));
    const question = { definition, conversation, prompt, inherit, society, context };
    return conversation.turn(() => society.limit(() => askSpecialist(question, call)));
  },
});

/** The tool `ask`, with which a model asks the agents that are there; those that ask already are not among them. */
export const askTools = async (society: Society, context: AgentContext): Promise<Tool[]> => {
  const names = (await listAgents(context)).map(({ name }) => name);
  return [askTool(society, context, names)];
};
