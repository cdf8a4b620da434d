export { buildGraph } from './build-graph.js';
export { chatFacts } from './chat-facts.js';
export { padRight, widest } from './columns.js';
export { type Cost, cost, type PricedInference, type PriceList, type Prices, type Unpriced } from './cost.js';
export { type EventCosts, eventCosts } from './event-costs.js';
export type { ChatFacts, JobFacts, MetaFact, Read, ReceiptFact } from './facts.js';
export { checkFollow } from './follow.js';
export type { ChatNode, Edge, EdgeDetail, Graph, JobNode, Node, Relation } from './graph.js';
export { nodeId } from './graph.js';
export { shownPath } from './labels.js';
export { isPaid } from './paid.js';
export { type Held, type ReachableTokens, reachableTokens } from './reachable-tokens.js';
export type { FolderEntry, Place, Reader } from './reader.js';
export { relations } from './relations/index.js';
export type { RelationContext, RelationFinder, Target } from './relations/relation.js';
export { renders } from './render/index.js';
export type { Render, RenderOptions } from './render/render.js';
export type {
  ChatEvidence,
  Deduplication,
  Evidence,
  Identity,
  ReceiptEvidence,
  TokenEvent,
  TokenScope,
  TokenTotals,
} from './token-event.js';
export { type TokenEvents, tokenEvents } from './token-events.js';
export { tokenScopes, tokenTotals, toTotals } from './token-totals.js';
export { type TraverseOptions, traverse, type Visit } from './traverse.js';
export { visibleText } from './visible-text.js';
export type { EvidenceAddress, Warning, WarningCode } from './warning.js';
