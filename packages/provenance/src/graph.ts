import type { ChatFacts, JobFacts } from './facts.js';
import type { Warning } from './warning.js';

/** The kinds of edges, from the root outward. */
export type Relation = 'job' | 'agent_job' | 'dependency' | 'log' | 'result';

/** A chat file. `path` is its real path; `facts` are empty where it could not be read, which a warning tells. */
export type ChatNode = { kind: 'chat'; id: string; path: string; facts: ChatFacts };

/**
 * A job: its result, `.info` and `.files/`. `path` is the real path of its result, which need not exist; of a `missing` one, of
 * which nothing was found, it is the reference as it stood.
 */
export type JobNode = { kind: 'job'; id: string; path: string; missing: boolean; facts: JobFacts };

/** What a session is made of. */
export type Node = ChatNode | JobNode;

/** Where a receipt that leads to a job stands. Addresses are `[path, message]` and `[path, message, "meta", entry]`. */
export type EdgeDetail = {
  callId: string | null;
  toolName: string | null;
  outputAddress: [path: string, message: number];
  evidenceAddress: [path: string, message: number, field: 'meta', entry: number];
  /** The reference as the receipt has it. */
  job: string;
};

/** One reason why `to` is part of the session; `from` and `to` are ids of nodes. `detail` is there for `agent_job` only. */
export type Edge = { from: string; relation: Relation; to: string; detail: EdgeDetail | null };

/** A session: what hangs below one chat or job. Nodes and edges stand in the order in which they were found, the root first. */
export type Graph = { root: Node; nodes: Node[]; edges: Edge[]; warnings: Warning[] };

/** Id of a node: its kind and its path. */
export const nodeId = (kind: Node['kind'], path: string): string => `${kind}:${path}`;
