import type { Json, Vector } from './vector.js';

const agents = 'comes with the agents';
const embeddings = 'comes with embeddings';

/** Operations of packages that are not there yet. */
const operations: Record<string, string> = {
  embed: embeddings,
};

/** Backends that are not there yet. */
const providers: Record<string, string> = {
  bedrock: 'comes with the bedrock backend',
  google: 'comes with the google backend',
  huggingface: 'comes with the huggingface backend',
  openwebui: 'comes with the variants of the openai backend',
  vllm: 'comes with the variants of the openai backend',
  relay: 'comes with the relay backend',
};

/** Why a vector can't be run yet; undefined where it can. */
export const laterReason = ({ input }: Vector): string | undefined => {
  const tools = Object.values<Json>(input['tools'] ?? {});
  if (input.op === 'save' && input['method'] === 'agent_result') return agents;
  if (input.op === 'process_calls' && tools.some((tool) => tool?.return_agent !== undefined)) return agents;
  if (input.op === 'parse_tool_call' && input['provider'] === 'vllm') return undefined;
  return operations[input.op] ?? providers[input['provider']];
};
