import { readConversation } from '@colophon/backends';
import type { Agent } from './agent.js';
import { type AgentOptions, createAgent } from './create-agent.js';
import { loadAgent } from './load-agent.js';

/**
 * Loads an agent by name or path and makes it; where its `saveFile` is there already, the conversation in it goes on.
 *
 * @throws ColophonError what `loadAgent` throws, and the errors of reading.
 */
export const openAgent = async (name: string, options: AgentOptions): Promise<Agent> => {
  const { context, saveFile } = options;
  const definition = await loadAgent(name, context);
  const held = saveFile === undefined ? [] : await readConversation(saveFile);
  return createAgent(definition, held.length > 0 ? { messages: held, ...options } : options);
};
