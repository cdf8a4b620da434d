import { dependencyLoops } from './dependency-loops.js';
import { rootMissingError, rootNotFileError, strictError } from './errors.js';
import { checkFollow } from './follow.js';
import type { Edge, EdgeDetail, Node, Relation } from './graph.js';
import { createNodes } from './nodes.js';
import { folderOf, jobsFolderOf } from './path-text.js';
import type { Reader } from './reader.js';
import { relations } from './relations/index.js';
import type { RelationContext, Target } from './relations/relation.js';
import type { Warning } from './warning.js';

/** One edge as it is told, with the nodes at its ends; the root comes first, without an edge. `first`: the node is new. */
export type Visit = {
  node: Node;
  parent: Node | null;
  relation: Relation | null;
  first: boolean;
  detail: EdgeDetail | null;
};

/** What walking a session may be told. */
export type TraverseOptions = {
  reader: Reader;
  /** Relations that are followed; all unless told otherwise. */
  follow?: readonly string[] | undefined;
  signal?: AbortSignal | undefined;
  /** Throws what would be a warning. */
  strict?: boolean | undefined;
  /** Gets each warning once, as it comes up. */
  onWarning?: ((warning: Warning) => void) | undefined;
  /** What the root is taken for; unless told, a job where an `.info` lies beside it. */
  rootKind?: Node['kind'] | undefined;
};

const rootTarget = async (root: string, { reader, rootKind }: TraverseOptions): Promise<Target> => {
  const [place, info] = [await reader.look(root), await reader.look(`${root}.info`)];
  const hasInfo = info !== undefined && info !== 'link_loop';
  const kind = rootKind ?? (hasInfo ? 'job' : 'chat');
  if (kind === 'job' && hasInfo) return { kind, path: root };
  if (place === undefined || place === 'link_loop') throw rootMissingError(root);
  if (place.kind === 'folder') throw rootNotFileError(root, place.kind);
  return { kind, path: root };
};

/** Passes each warning on once; throws it in strict mode. */
const teller = ({ strict = false, onWarning }: TraverseOptions) => {
  const told = new Set<string>();
  return (warning: Warning): void => {
    if (strict) throw strictError(warning);
    const key = JSON.stringify([warning.code, warning.path, warning.address, warning.reference]);
    if (told.has(key)) return;
    told.add(key);
    onWarning?.(warning);
  };
};

/** The folders of a session: the root's, those of the reader, and each `var/jobs` that holds one of its jobs. */
const territory = (reader: Reader) => {
  const folders = new Set(reader.roots);
  const isInside = (path: string): boolean => {
    for (let folder = path; ; folder = folderOf(folder)) {
      if (folders.has(folder)) return true;
      if (folder === folderOf(folder)) return false;
    }
  };
  const add = (folder: string): void => {
    if (folder !== '/') folders.add(folder);
  };
  return { isInside, add };
};

/** Answers the same question once: thousands of receipts may name one job. */
const rememberJobs = (reader: Reader): RelationContext['findJob'] => {
  const found = new Map<string, string | undefined>();
  return async (reference, referrer) => {
    const key = `${folderOf(referrer)}\0${reference}`;
    if (!found.has(key)) found.set(key, await reader.findJob(reference, referrer));
    return found.get(key);
  };
};

const edgeKey = (relation: Relation, id: string, detail: EdgeDetail | null): string =>
  JSON.stringify([relation, id, detail?.evidenceAddress]);

/**
 * Walks what hangs below a chat or job, breadth first: tells each edge once, and expands each node once. The order depends on the
 * evidence alone, so that two runs are equal. Trouble becomes a warning. Linear in nodes, edges and the bytes of chats.
 *
 * @throws ColophonError `unknown_relation` before any work, `root_missing` or `root_not_file` where there is no root, and in strict
 *   mode the first warning.
 */
export async function* traverse(root: string, options: TraverseOptions): AsyncGenerator<Visit, void, undefined> {
  const { reader, signal } = options;
  const followed = checkFollow(options.follow);
  const warn = teller(options);
  const enter = createNodes(reader, warn);
  const { isInside, add } = territory(reader);
  const context: RelationContext = { reader, warn, findJob: rememberJobs(reader), isInside };
  const dependencies: Edge[] = [];
  let settled = false;
  try {
    const start = await enter(await rootTarget(root, options));
    if (!start) throw rootMissingError(root);
    add(folderOf(start.node.path));
    yield { ...start, parent: null, relation: null, detail: null };
    const queue: Node[] = [start.node];
    for (const parent of queue) {
      signal?.throwIfAborted();
      if (parent.kind === 'job') add(jobsFolderOf(parent.path));
      const told = new Set<string>();
      for (const relation of followed) {
        for (const target of await relations[relation](parent, context)) {
          const reached = await enter(target);
          if (!reached) continue;
          const { node, first } = reached;
          // Links may lead a sweep back to the chat that it started from.
          if (relation === 'log' && node === parent) continue;
          const detail = target.detail ?? null;
          const key = edgeKey(relation, node.id, detail);
          if (told.has(key)) continue;
          told.add(key);
          if (first) queue.push(node);
          if (relation === 'dependency') dependencies.push({ from: parent.id, relation, to: node.id, detail });
          yield { node, parent, relation, first, detail };
        }
      }
    }
    for (const warning of dependencyLoops(queue, dependencies)) warn(warning);
    settled = true;
    for (const warning of (await reader.settle?.()) ?? []) warn(warning);
  } finally {
    if (!settled) await reader.settle?.();
  }
}
