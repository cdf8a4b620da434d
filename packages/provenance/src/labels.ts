import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Graph, JobNode, Node } from './graph.js';
import { visibleText } from './visible-text.js';

/** How nodes are called: full paths with `long`; `home` is shown as `~`. */
export type LabelOptions = { long?: boolean; home?: string };

/** A path as it is shown: the home folder as `~`, nothing that a terminal would obey. */
export const shownPath = (path: string, home?: string): string => {
  const below = home !== undefined && home !== '' && home !== '/' && (path === home || path.startsWith(`${home}/`));
  return visibleText(below ? `~${path.slice(home.length)}` : path);
};

const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** What of a path stays the same where a whole session is moved: below its `var/jobs`, else below the folder of its root. */
const placeOf = (path: string, root: Node): string => {
  const jobs = path.lastIndexOf('/var/jobs/');
  if (jobs >= 0) return path.slice(jobs);
  const folder = root.path.slice(0, root.path.lastIndexOf('/') + 1);
  return path.startsWith(folder) ? path.slice(folder.length) : path;
};

/** Eight hex digits that stand for a node: the digest in a job's name, else one of where it lies in the session of `root`. */
export const shortId = (node: Node, root: Node): string => {
  const digest = node.kind === 'job' ? /_([0-9a-f]{8})[0-9a-f]{24}(?:\.|$)/.exec(baseName(node.path))?.[1] : undefined;
  return digest ?? bytesToHex(sha256(utf8ToBytes(placeOf(node.path, root))).subarray(0, 4));
};

const societyPattern = /(?:\.|\/)society\/([^/]+)\/([^/]+)\/agent\.chat$/;

/** Whether a chat is a conversation of a society: an agent's, saved beside the chat that asked it. */
export const isSociety = (node: Node): boolean => node.kind === 'chat' && societyPattern.test(node.path);

const jobLabel = (node: JobNode, root: Node, home: string | undefined): string => {
  const { path, facts } = node;
  if (facts.workflow === '' || facts.task === '') return shownPath(path, home);
  const isNamed = facts.cleanName !== 'Default' && facts.cleanName !== '';
  const digest = /_[0-9a-f]{32}(?:\.|$)/.test(baseName(path));
  return `${facts.workflow}/${facts.task} ${isNamed ? facts.cleanName : digest ? shortId(node, root) : baseName(path)}`;
};

const plainLabel = (node: Node, root: Node, folders: ReadonlyMap<string, string>, home: string | undefined): string => {
  if (node.kind === 'job') return jobLabel(node, root, home);
  if (node.id === root.id) return baseName(node.path);
  const [, agent, conversation] = societyPattern.exec(node.path) ?? [];
  if (agent !== undefined) return `society ${agent}/${conversation}`;
  const folder = folders.get(node.id);
  return folder !== undefined && node.path.startsWith(folder)
    ? node.path.slice(folder.length)
    : shownPath(node.path, home);
};

/**
 * Labels of nodes by id, in one line each: `Workflow/task name` of a job, the file name of a root chat, the place of a
 * transcript in its job's folder, `society Agent/conversation`, else the path. Nodes that would be called the same get a short id.
 */
export const labelNodes = (graph: Graph, { long = false, home }: LabelOptions = {}): Map<string, string> => {
  if (long) return new Map(graph.nodes.map(({ id, path }) => [id, shownPath(path, home)]));
  const byId = new Map(graph.nodes.map((node) => [node.id, node]));
  const folders = new Map<string, string>();
  for (const { from, relation, to } of graph.edges) {
    const source = byId.get(from);
    if (relation === 'log' && source?.kind === 'job' && !folders.has(to)) folders.set(to, `${source.path}.files/`);
  }
  const plain = graph.nodes.map((node) => visibleText(plainLabel(node, graph.root, folders, home)));
  const counts = new Map<string, number>();
  for (const [index, label] of plain.entries()) {
    const key = `${graph.nodes[index]!.kind} ${label}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return new Map(
    graph.nodes.map((node, index) => {
      const label = plain[index]!;
      return [node.id, counts.get(`${node.kind} ${label}`)! > 1 ? `${label} ${shortId(node, graph.root)}` : label];
    }),
  );
};

/** What is to be said of a job that did not end well; undefined where there is nothing. */
export const troubleOf = (node: Node): 'missing' | 'error' | 'aborted' | undefined => {
  if (node.kind === 'chat') return undefined;
  if (node.missing) return 'missing';
  return node.facts.status === 'error' || node.facts.status === 'aborted' ? node.facts.status : undefined;
};
