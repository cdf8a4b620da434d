import { join } from 'node:path';
import type { AskAgent } from '@colophon/backends';
import type { AgentContext } from './agent-context.js';
import { agentOptions } from './agent-options.js';
import { createSociety } from './create-society.js';
import { folderName } from './folder-name.js';
import { jobBranch } from './job-branch.js';
import { loadAgent } from './load-agent.js';
import type { SocietyOptions } from './society.js';
import { startOf } from './start-of.js';

/**
 * What `agent: Name` means in a chat, for the context's `agents`: the agent's start stands before the chat, its tools and specialists
 * are there, and `x.chat` has the whole conversation in `x.chat.files/<Name>.chat`.
 */
export const createAskAgent =
  (context: AgentContext, options: SocietyOptions = {}): AskAgent =>
  async (name, { options: call, file }) => {
    const definition = await loadAgent(name, context);
    const society = createSociety({ ...options, ancestors: [definition.name] });
    const own = agentOptions(definition, { ...context, ...call.context }, society);
    return {
      ...call,
      ...own,
      tools: [...(call.tools ?? []), ...(own.tools ?? [])],
      ...(await jobBranch(definition, own.context)),
      before: startOf(definition),
      ...(file === undefined ? {} : { transcript: join(`${file}.files`, `${folderName(definition.name)}.chat`) }),
    };
  };
