import type { EdgeDetail, Node } from '../graph.js';
import type { Reader } from '../reader.js';
import type { Warning } from '../warning.js';

/** Where an edge leads. A job that could not be found is `missing`; its `path` is the reference as it stood. */
export type Target = { kind: Node['kind']; path: string; missing?: true; detail?: EdgeDetail };

/** What finding edges needs. */
export type RelationContext = {
  reader: Reader;
  warn: (warning: Warning) => void;
  /** The job that a file refers to; undefined where there is none. */
  findJob: (reference: string, referrer: string) => Promise<string | undefined>;
  /** Whether a real path lies in the folders of the session. */
  isInside: (path: string) => boolean;
};

/** Finds the edges of one relation that leave a node, in an order that depends on the evidence alone. */
export type RelationFinder = (node: Node, context: RelationContext) => Promise<Target[]>;
