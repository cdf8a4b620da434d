import type { Meta, TokenField, Tokens } from '@colophon/chat-format';

/** A paid inference as a chat has it. `address` is `[path, message]`. */
export type ChatEvidence = {
  origin: 'chat_meta';
  source: string;
  address: [path: string, message: number];
  meta: Meta;
};

/** A paid inference as a receipt has it. `address` is `[path, message, "meta", entry]`; its first two parts are the output's. */
export type ReceiptEvidence = {
  origin: 'agent_meta';
  source: string;
  address: [path: string, message: number, field: 'meta', entry: number];
  meta: Meta;
  callId: string | null;
  toolName: string | null;
};

/** A place where a paid inference is persisted. */
export type Evidence = ChatEvidence | ReceiptEvidence;

/** What tells an inference from others: its kind and value. */
export type Identity =
  | [kind: 'inference_id' | 'provider_response_id' | 'lineage', value: string]
  | [kind: 'receipt', value: ReceiptEvidence['address']];

/** How copies of an event were told. `receipt_unresolved`: not at all, so that copies of it may count more than once. */
export type Deduplication = 'inference_id' | 'provider_response_id' | 'legacy_lineage' | 'receipt_unresolved';

/** One paid inference, with every place where it is persisted. */
export type TokenEvent = {
  identity: Identity;
  deduplication: Deduplication;
  inferenceId: string | null;
  providerResponseId: string | null;
  model: string | null;
  /** What the canonical evidence reports; a field that it does not report is absent. */
  tokens: Tokens;
  /** Canonical evidence first: chats before receipts, each in the order in which they were found. */
  evidence: [Evidence, ...Evidence[]];
  /** Copies disagree on `pt`, `ct` or `tt`, or have two provider ids. */
  conflict: boolean;
  /** Only some copies have a provider id. */
  incompleteEvidence: boolean;
  /** It could not be identified: a receipt without ids. */
  unresolved: boolean;
};

/**
 * Sums over events: `deduplicated_total` all of them (the one cost), `chat_evidence` those that a chat has, `receipt_evidence` those
 * that a receipt has (these two overlap), `receipt_only` those that only receipts have.
 */
export type TokenScope = 'deduplicated_total' | 'chat_evidence' | 'receipt_evidence' | 'receipt_only';

/** All six fields, 0 where nothing was reported; `unknown` lists the fields that no event reported. */
export type TokenTotals = Record<TokenField, number> & { unknown: TokenField[] };
