import type { Json, Vector } from './vector.js';

const agents = 'comes with the agents';

/** Why a vector can't be run yet; undefined where it can. */
export const laterReason = ({ input }: Vector): string | undefined => {
  const tools = Object.values<Json>(input['tools'] ?? {});
  if (input.op === 'save' && input['method'] === 'agent_result') return agents;
  if (input.op === 'process_calls' && tools.some((tool) => tool?.return_agent !== undefined)) return agents;
  return undefined;
};
