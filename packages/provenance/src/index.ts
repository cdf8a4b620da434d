export type { ChatFacts, JobFacts, MetaFact, Read, ReceiptFact } from './facts.js';
export type { ChatNode, Edge, EdgeDetail, Graph, JobNode, Node, Relation } from './graph.js';
export { nodeId } from './graph.js';
export type { FolderEntry, Place, Reader } from './reader.js';
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
export type { EvidenceAddress, Warning, WarningCode } from './warning.js';
