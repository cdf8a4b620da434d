import type { CallFact } from './chat-extras.js';

const delegationTools = new Set(['ask', 'cortex_continue', 'cortex_brief']);
const handOff = 'hand_off_to_';

/** Whether a tool is one of those that agents delegate with. */
export const isDelegationTool = (tool: string): boolean => delegationTools.has(tool) || tool.startsWith(handOff);

/** The agent that a call speaks to: among its arguments, else in the tool's name. */
export const targetAgent = ({ tool, agent }: Pick<CallFact, 'tool' | 'agent'>): string | undefined =>
  agent ?? (tool.startsWith(handOff) && tool.length > handOff.length ? tool.slice(handOff.length) : undefined);
