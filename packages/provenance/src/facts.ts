import type { Meta } from '@colophon/chat-format';
import type { Warning } from './warning.js';

/**
 * A `meta` message of a chat. `meta` is without `reas` and running totals, long texts but those that identify are cut. `lineage` is
 * there where nothing else identifies a paid inference; `orphan` where no message follows that it produced.
 */
export type MetaFact = { index: number; meta: Meta; lineage?: string; orphan?: true };

/** An entry of a receipt; `index` is that of the output that carries it. `meta` as in `MetaFact`. */
export type ReceiptFact = { index: number; entry: number; callId: string | null; toolName: string | null; meta: Meta };

/** What is kept of a chat: evidence, no texts. Plain JSON, of a size that follows the number of records. */
export type ChatFacts = {
  /** Number of messages. */
  messages: number;
  /** Last change of the file, in milliseconds since 1970; null where nobody knows. */
  modified: number | null;
  metas: MetaFact[];
  receipts: ReceiptFact[];
  /** What the reader's own `extract` made of the messages. */
  extra?: unknown;
};

/** What is kept of a job. */
export type JobFacts = {
  workflow: string;
  task: string;
  /** File name of the result, with digest and extension. */
  name: string;
  /** `name` without digest and extension. */
  cleanName: string;
  /** `<Workflow>/<task>/<name>`. */
  shortPath: string;
  /** As recorded; `done` where there is a result and no `.info`, `noinfo` where neither can be read. */
  status: string;
  type?: string;
  /** There is a result. */
  done: boolean;
  /** References of its direct dependencies, as recorded. */
  dependencies: string[];
  /** Times as recorded. */
  start?: string;
  end?: string;
  /** The last change of its `.info`, else of its result, in milliseconds since 1970; null where nobody knows. */
  modified: number | null;
};

/** Facts, and what was wrong with where they come from. */
export type Read<Facts> = { facts: Facts; warnings: Warning[] };
