import type { AgentParts } from '@colophon/agent';

/** What an agent is made of, in words. */
export const partNames = ({ start, workflow, knowledgeBase }: AgentParts): string[] => [
  ...(start === undefined ? [] : ['start chat']),
  ...(workflow === undefined ? [] : ['workflow']),
  ...(knowledgeBase === undefined ? [] : ['knowledge base']),
];
