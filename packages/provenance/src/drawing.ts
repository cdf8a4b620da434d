import { cutMiddle } from './columns.js';
import { flowOrder } from './flow-order.js';
import type { Graph, JobNode, Node } from './graph.js';
import { isSociety, labelNodes, shownPath, troubleOf } from './labels.js';
import { byText } from './path-text.js';
import { type Picture, toPicture } from './picture.js';
import { printShortCount } from './print-count.js';
import { reachableTokens } from './reachable-tokens.js';
import type { RenderOptions } from './render/render.js';
import type { TokenEvent } from './token-event.js';
import { tokenTotals } from './token-totals.js';

/** A node as a picture draws it. `lines` is its label, `path` the whole path; both may hold any letters. */
export type DrawnNode = {
  node: Node;
  lines: string[];
  path: string;
  role: 'root' | 'job' | 'error' | 'society' | 'chat';
  /** The conversation that it is a turn of, by number; undefined where it is none. */
  chain?: number;
};

/** An edge as a picture draws it, by numbers of nodes. A label of `` is none. */
export type DrawnEdge = {
  from: number;
  to: number;
  kind: 'delegates' | 'produces' | 'result' | 'sidecar' | 'continues';
};

/** What pictures draw of a session, whatever language they are written in. */
export type Drawing = { nodes: DrawnNode[]; edges: DrawnEdge[]; chains: number };

const widestLine = 60;

/** Jobs of one task and one name, where there are several: the turns of a conversation, the oldest first. */
const findChains = (jobs: readonly JobNode[]): JobNode[][] => {
  const chains = new Map<string, JobNode[]>();
  for (const job of jobs) {
    const { workflow, task, cleanName } = job.facts;
    if (workflow === '' || cleanName === '' || cleanName === 'Default') continue;
    const key = JSON.stringify([workflow, task, cleanName]);
    const known = chains.get(key);
    if (known === undefined) chains.set(key, [job]);
    else known.push(job);
  }
  const age = ({ facts }: JobNode) => facts.modified ?? Number.POSITIVE_INFINITY;
  return [...chains.values()]
    .filter(({ length }) => length > 1)
    .map((chain) => chain.sort((a, b) => (age(a) === age(b) ? byText(a.path, b.path) : age(a) < age(b) ? -1 : 1)));
};

const kindOf: Record<string, DrawnEdge['kind']> = {
  job: 'delegates',
  agent_job: 'delegates',
  dependency: 'result',
  result: 'produces',
};

const drawEdges = ({ nodes, edges }: Picture, numbers: ReadonlyMap<string, number>): DrawnEdge[] => {
  const kinds = new Map(nodes.map(({ id, kind }) => [id, kind]));
  const drawn = new Map<string, DrawnEdge>();
  for (const { from, relation, to } of edges) {
    const kind = kindOf[relation] ?? (kinds.get(from) === 'job' ? 'produces' : 'sidecar');
    const [source, target] = [numbers.get(from)!, numbers.get(to)!];
    // Data flows from what is depended on.
    const edge = relation === 'dependency' ? { from: target, to: source, kind } : { from: source, to: target, kind };
    drawn.set(`${edge.from} ${edge.to} ${kind}`, edge);
  }
  return [...drawn.values()];
};

/** Draws a session, without saying how it is written. */
export const draw = (graph: Graph, events: readonly TokenEvent[], options: RenderOptions = {}): Drawing => {
  const picture = toPicture(graph, events);
  const labels = labelNodes(graph, options);
  const reachable = options.component ? undefined : reachableTokens(graph, events);
  const ordered = flowOrder(picture);
  const numbers = new Map(ordered.map(({ id }, index) => [id, index]));
  const chains = findChains(ordered.filter((node) => node.kind === 'job'));
  const turns = new Map(
    chains.flatMap((chain, number) => chain.map(({ id }, index) => [id, { chain: number, turn: index + 1 }] as const)),
  );

  const nodes = ordered.map((node): DrawnNode => {
    const turn = turns.get(node.id);
    const trouble = troubleOf(node);
    const isRoot = node.id === graph.root.id;
    const { tt } = reachable?.get(node.id) ?? tokenTotals(picture.direct.get(node.id)!, 'deduplicated_total');
    const name = `${labels.get(node.id)}${turn === undefined ? '' : ` · turn ${turn.turn}`}`;
    const counted = `${options.component ? 'direct' : 'evidence'} ${printShortCount(tt)}`;
    return {
      node,
      lines: [
        options.long ? name : cutMiddle(name, widestLine),
        ...(isRoot ? [node.kind === 'job' ? 'Root job' : 'Root conversation'] : []),
        trouble === undefined ? (isRoot ? counted : `${printShortCount(tt)} tokens`) : `⚠ ${trouble}`,
      ],
      path: shownPath(node.path, options.home),
      role: isRoot
        ? 'root'
        : trouble !== undefined
          ? 'error'
          : node.kind === 'job'
            ? 'job'
            : isSociety(node)
              ? 'society'
              : 'chat',
      ...(turn === undefined ? {} : { chain: turn.chain }),
    };
  });
  const continues = chains.flatMap((chain) =>
    chain.slice(1).map(({ id }, index): DrawnEdge => {
      return { from: numbers.get(chain[index]!.id)!, to: numbers.get(id)!, kind: 'continues' };
    }),
  );
  return { nodes, edges: [...drawEdges(picture, numbers), ...continues], chains: chains.length };
};
