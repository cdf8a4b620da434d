import type { TokenField } from '@colophon/chat-format';
import type { Relation } from './graph.js';

/** Where evidence stands: a file, a message of it, or an entry of a receipt. */
export type EvidenceAddress =
  | string
  | [path: string, message: number]
  | [path: string, message: number, field: 'meta', entry: number];

/** What may be wrong with a session. */
export type WarningCode =
  | 'not_an_array'
  | 'not_a_hash'
  | 'empty_meta'
  | 'unresolved_job_reference'
  | 'invalid_token_count'
  | 'identity_conflict'
  | 'torn_message'
  | 'not_utf8'
  | 'not_text'
  | 'unreadable'
  | 'vanished'
  | 'changed_while_read'
  | 'link_outside'
  | 'link_broken'
  | 'dependency_loop'
  | 'damaged_info'
  | 'damaged_index';

/**
 * Trouble in evidence; the rest is still reported. `path` is the file that it is about, `address` the place. Which of the other
 * facts are there depends on the code.
 */
export type Warning = {
  code: WarningCode;
  message: string;
  path: string;
  address: EvidenceAddress;
  relation?: Relation;
  callId?: string | null;
  toolName?: string | null;
  outputAddress?: [path: string, message: number];
  evidenceAddress?: [path: string, message: number, field: 'meta', entry: number];
  /** Index of the receipt entry. */
  index?: number;
  /** What stood where a receipt was expected, cut to a readable length. */
  entry?: unknown;
  /** The job reference that leads nowhere. */
  reference?: string;
  inferenceId?: string | null;
  identity?: [kind: string, value: unknown];
  /** Disputed fields of copies, and what each copy says; null where one says nothing. */
  fields?: (TokenField | 'provider_response_id')[];
  values?: Partial<Record<TokenField | 'provider_response_id', (number | string | null)[]>>;
  evidence?: EvidenceAddress[];
};
