import { dotLooks, dotStyle, dotText } from '../dot-text.js';
import { type DrawnEdge, type DrawnNode, draw } from '../drawing.js';
import type { Render } from './render.js';

const nodeLine = ({ node, lines, path, role }: DrawnNode, index: number): string => {
  const shape = role === 'root' || node.kind === 'job' ? 'box' : 'note';
  const classes = role === 'root' || role === 'error' ? `prov-${role} prov-${node.kind}` : `prov-${role}`;
  return `n${index} [shape=${shape}, class="${classes}", ${dotLooks[role]}, label=${dotText(...lines)}, tooltip=${dotText(path)}];`;
};

const edgeLooks: Record<DrawnEdge['kind'], string> = {
  delegates: 'label="delegates", class="delegated_result"',
  produces: 'label="produces", class="dependency"',
  result: 'label="result", class="dependency"',
  sidecar: 'style=dashed, class="log"',
  continues: 'label="continues", class="continues", style=dotted, constraint=false',
};

const cluster = (name: string, label: string, numbers: readonly number[]): string[] =>
  numbers.length === 0
    ? []
    : [
        `subgraph cluster_${name} { label="${label}"; style="rounded,dashed"; color="#d0d7de"; ${numbers.map((number) => `n${number};`).join(' ')} }`,
      ];

/** A session as Graphviz source, from left to right: the root first, jobs beside one another, chats where they were produced. */
export const renderDot: Render = (graph, events, options) => {
  const { nodes, edges, chains } = draw(graph, events, options);
  const numbersOf = (test: (node: DrawnNode) => boolean) => nodes.flatMap((node, index) => (test(node) ? [index] : []));
  const turns: number[][] = Array.from({ length: chains }, () => []);
  for (const [index, { chain, role }] of nodes.entries())
    if (chain !== undefined && role !== 'root') turns[chain]!.push(index);
  // Jobs that lead to one another can't stand side by side.
  const isJob = (number: number) => nodes[number]!.node.kind === 'job' && nodes[number]!.role !== 'root';
  const linked = new Set(edges.flatMap(({ from, to }) => (isJob(from) && isJob(to) ? [from, to] : [])));
  const jobs = [...nodes.keys()].filter((number) => isJob(number) && !linked.has(number));
  return [
    'digraph provenance {',
    ...[
      ...dotStyle('LR'),
      ...nodes.map(nodeLine),
      ...numbersOf(({ role }) => role === 'root').map((root) => `{ rank=source; n${root}; }`),
      ...(jobs.length > 1 ? [`{ rank=same; ${jobs.map((job) => `n${job};`).join(' ')} }`] : []),
      ...cluster(
        'society',
        'society',
        numbersOf(({ role }) => role === 'society'),
      ),
      ...turns.flatMap((numbers, chain) => cluster(`conversation${chain}`, 'conversation', numbers)),
      ...edges.map(({ from, to, kind }) => `n${from} -> n${to} [${edgeLooks[kind]}];`),
    ].map((line) => `  ${line}`),
    '}',
  ].join('\n');
};
