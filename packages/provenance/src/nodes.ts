import type { ChatFacts, JobFacts } from './facts.js';
import { type ChatNode, type JobNode, type Node, nodeId } from './graph.js';
import type { Reader } from './reader.js';
import type { Target } from './relations/relation.js';
import type { Warning } from './warning.js';

export const emptyChatFacts = (): ChatFacts => ({ messages: 0, modified: null, metas: [], receipts: [] });

const missingFacts = (reference: string): JobFacts => {
  const [name = '', task = '', workflow = ''] = reference.split('/').reverse();
  return {
    workflow,
    task,
    name,
    cleanName: name,
    shortPath: [workflow, task, name].filter((part) => part !== '').join('/'),
    status: 'noinfo',
    done: false,
    dependencies: [],
    modified: null,
  };
};

const jobAt = async (path: string, reader: Reader): Promise<string | undefined> => {
  const info = await reader.look(`${path}.info`);
  if (info !== undefined && info !== 'link_loop' && info.path.endsWith('.info'))
    return info.path.slice(0, -'.info'.length);
  const result = await reader.look(path);
  return result === undefined || result === 'link_loop' ? undefined : result.path;
};

/**
 * The nodes of one traversal. Identity is the kind and the real path: a job is where its `.info` is, else where its result is. Each
 * node is read once; each path that leads to it is looked up once.
 */
export const createNodes = (reader: Reader, warn: (warning: Warning) => void) => {
  const nodes = new Map<string, Node>();
  const paths = new Map<string, string | undefined>();

  const vanished = (kind: Node['kind'], path: string): undefined => {
    warn({
      code: 'vanished',
      message: `vanished: the ${kind} ${path} was there a moment ago and is gone; it is left out.`,
      path,
      address: path,
    });
    return undefined;
  };

  const realPath = async ({ kind, path }: Target): Promise<string | undefined> => {
    const key = nodeId(kind, path);
    if (paths.has(key)) return paths.get(key);
    const place = kind === 'chat' ? await reader.look(path) : undefined;
    const real = kind === 'job' ? await jobAt(path, reader) : place && place !== 'link_loop' ? place.path : undefined;
    paths.set(key, real);
    return real;
  };

  const readNode = async (target: Target, real: string | undefined): Promise<Node | undefined> => {
    const { kind } = target;
    if (kind === 'job') {
      const path = real ?? target.path;
      const read = real === undefined ? { facts: missingFacts(path), warnings: [] } : await reader.job(real);
      for (const warning of read.warnings) warn(warning);
      const job: JobNode = { kind, id: nodeId(kind, path), path, missing: real === undefined, facts: read.facts };
      return job;
    }
    const read = real === undefined ? undefined : await reader.chat(real);
    if (real === undefined || !read) return vanished(kind, target.path);
    for (const warning of read.warnings) warn(warning);
    const chat: ChatNode = { kind, id: nodeId(kind, real), path: real, facts: read.facts };
    return chat;
  };

  /** The node that a target stands for, and whether it is new; undefined where it has vanished, which is told. */
  return async (target: Target): Promise<{ node: Node; first: boolean } | undefined> => {
    const real = target.missing ? undefined : await realPath(target);
    const known = nodes.get(nodeId(target.kind, real ?? target.path));
    if (known) return { node: known, first: false };
    const node = await readNode(target, real);
    if (!node) return undefined;
    nodes.set(node.id, node);
    return { node, first: true };
  };
};
