import { cutMiddle, padLeft, padRight, widest } from '../columns.js';
import { printCost } from '../event-costs.js';
import { flowOrder } from '../flow-order.js';
import type { Edge, Relation } from '../graph.js';
import { labelNodes, shortId, troubleOf } from '../labels.js';
import { toPicture } from '../picture.js';
import { printShortCount } from '../print-count.js';
import { reachableTokens } from '../reachable-tokens.js';
import { tokenTotals } from '../token-totals.js';
import type { Render } from './render.js';

/** How a relation is called where data flows, and whether it flows from the node that the relation leads to. */
const flows: Record<Relation, { name: string; back: boolean }> = {
  job: { name: 'result', back: true },
  agent_job: { name: 'delegated_result', back: true },
  dependency: { name: 'dependency', back: true },
  log: { name: 'log', back: false },
  result: { name: 'result', back: false },
};

const leastLabel = 52;
const widestLabel = { long: 4096, short: 120 };

/** A session as a list of nodes, and the ways that data takes between them; tokens and costs as in the tree. */
export const renderFlow: Render = (graph, events, options = {}) => {
  const picture = toPicture(graph, events);
  const labels = labelNodes(graph, options);
  const reachable = options.component ? undefined : reachableTokens(graph, events);
  const most = options.long ? widestLabel.long : widestLabel.short;

  const nodes = flowOrder(picture);
  const rows = nodes.map((node) => {
    const trouble = troubleOf(node);
    const own = picture.direct.get(node.id)!;
    const { tt } = reachable?.get(node.id) ?? tokenTotals(own, 'deduplicated_total');
    return {
      kind: node.kind === 'job' ? 'Job' : 'Chat',
      label: cutMiddle(`${labels.get(node.id)}${trouble === undefined ? '' : ` [${trouble}]`}`, most),
      tokens: printShortCount(tt),
      id: shortId(node, graph.root),
      cost: reachable ? [] : printCost(own, options.costs),
    };
  });
  const digits = Math.max(2, String(nodes.length).length);
  const wide = widest(
    rows.map(({ label }) => label),
    leastLabel,
  );
  const number = (index: number) => `[${String(index + 1).padStart(digits)}]`;

  const numbers = new Map(nodes.map(({ id }, index) => [id, index]));
  const ways = new Map<string, readonly [from: number, name: string, to: number]>();
  for (const { from, relation, to } of picture.edges as Edge[]) {
    const { name, back } = flows[relation];
    const [source, target] = [numbers.get(from)!, numbers.get(to)!];
    const way = back ? ([target, name, source] as const) : ([source, name, target] as const);
    ways.set(way.join(' '), way);
  }
  const arrows = [...ways.values()];
  const named = Math.max(10, ...new Set(arrows.map(([, name]) => name.length)));
  return [
    'Flow',
    '====',
    ...rows.map(({ kind, label, tokens, id, cost }, index) =>
      [number(index), kind.padEnd(5), padRight(label, wide), padLeft(tokens, 8), id, ...cost].join(' '),
    ),
    ...(arrows.length === 0 ? [] : ['']),
    ...arrows.map(([from, name, to]) => `${number(from)} --${name.padEnd(named)}--> ${number(to)}`),
  ].join('\n');
};
