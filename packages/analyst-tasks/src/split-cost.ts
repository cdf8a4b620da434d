import { nodeId, type TokenEvent } from '@colophon/provenance';
import type { Session } from './session.js';
import { linkedJobs, reachedFrom, rootChats } from './subtrees.js';
import { type ReportTokens, sumOf } from './tokens.js';

/** The cost of a session in three parts that add up to its total. */
export type SplitCost = {
  /** Inferences whose canonical evidence is in the root's own chats. */
  root: { tokens: ReportTokens; events: number };
  /** Of the others, those below a job that a receipt leads to. */
  delegated: { tokens: ReportTokens; events: number };
  /** The rest: jobs that are referred to otherwise, dependencies. */
  unattributed: { tokens: ReportTokens; events: number };
};

/** Splits the cost of a session; each inference is in one part. Linear. */
export const splitCost = (session: Session): SplitCost => {
  const own = rootChats(session);
  const below = reachedFrom(session, linkedJobs(session));
  const parts: Record<keyof SplitCost, TokenEvent[]> = { root: [], delegated: [], unattributed: [] };
  for (const event of session.events) {
    const holder = nodeId('chat', event.evidence[0].source);
    parts[own.has(holder) ? 'root' : below.has(holder) ? 'delegated' : 'unattributed'].push(event);
  }
  const part = (events: TokenEvent[]) => ({ tokens: sumOf(events), events: events.length });
  return {
    root: part(parts.root),
    delegated: part(parts.delegated),
    unattributed: part(parts.unattributed),
  };
};
