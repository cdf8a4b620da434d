import { nodeId } from './graph.js';
import type { TokenEvent } from './token-event.js';

/** What the receipts of a chat say: their events, each once, and the tools that brought them. */
export type CarriedReceipts = { events: TokenEvent[]; tools: Set<string> };

/** The receipts of each chat that carries some, by the chat's id. */
export const carriedReceipts = (events: readonly TokenEvent[]): Map<string, CarriedReceipts> => {
  const receipts = new Map<string, CarriedReceipts>();
  for (const event of events) {
    for (const evidence of event.evidence) {
      if (evidence.origin !== 'agent_meta') continue;
      const id = nodeId('chat', evidence.source);
      const found = receipts.get(id) ?? { events: [], tools: new Set() };
      receipts.set(id, found);
      if (found.events.at(-1) !== event) found.events.push(event);
      found.tools.add(evidence.toolName ?? 'unknown tool');
    }
  }
  return receipts;
};
