import { dotLooks, dotStyle, dotText } from '../dot-text.js';
import { type DrawnEdge, type DrawnNode, draw } from '../drawing.js';
import { nodeTimes, type Span } from '../node-times.js';
import { byText } from '../path-text.js';
import type { Render } from './render.js';

const printDuration = (milliseconds: number): string => {
  const seconds = Math.round(milliseconds / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const named = parts.map((part, index) => `${part}${'hms'[index]}`);
  return named.slice(parts.findIndex((part) => part > 0)).join('') || '0s';
};

/** A time of UTC; with its day where that is not the first one. */
const printTime = (time: number, firstDay: string): string => {
  const text = new Date(time).toISOString();
  return text.startsWith(firstDay) ? text.slice(11, 19) : text.slice(0, 19);
};

const printSpan = ({ start, end }: Span, firstDay: string): string => {
  const from = printTime(start, firstDay);
  return start === end ? `t=${from}` : `t=${from}→${printTime(end, firstDay)} · ${printDuration(end - start)}`;
};

type Timed = DrawnNode & { index: number; span: Span | undefined };

/** By time, path last; nodes of unknown time at the end, the root in front of all. */
const byTime = (a: Timed, b: Timed): number => {
  const rank = ({ role, span }: Timed) => (role === 'root' ? 0 : span === undefined ? 2 : 1);
  return (
    rank(a) - rank(b) ||
    (a.span?.start ?? 0) - (b.span?.start ?? 0) ||
    (a.span?.end ?? 0) - (b.span?.end ?? 0) ||
    byText(a.node.path, b.node.path)
  );
};

const looks: Record<DrawnEdge['kind'], string> = {
  delegates: 'class="delegated_result"',
  produces: 'class="dependency"',
  result: 'class="dependency"',
  sidecar: 'style=dashed, class="log"',
  continues: 'label="continues", class="continues", style=dotted',
};

/** A session as Graphviz source, from top to bottom: one node a rank, in the order of time. Times are UTC. */
export const renderTimeline: Render = (graph, events, options) => {
  const { nodes, edges } = draw(graph, events, options);
  const times = nodeTimes(graph);
  const ordered = nodes.map((node, index): Timed => ({ ...node, index, span: times.get(node.node.id) })).sort(byTime);
  const first = ordered.find(({ span }) => span !== undefined)?.span;
  const firstDay = first === undefined ? '' : new Date(first.start).toISOString().slice(0, 11);

  // Two overlap where one begins before those in front of it have ended; the root spans them all.
  const overlapping = new Set<number>();
  let latest: Timed | undefined;
  for (const timed of ordered) {
    if (timed.span === undefined || timed.role === 'root') continue;
    if (latest?.span && timed.span.start < latest.span.end) overlapping.add(latest.index).add(timed.index);
    if (latest?.span === undefined || timed.span.end > latest.span.end) latest = timed;
  }

  const lines = ordered.map(({ node, lines: [name, ...rest], path, role, index, span }) => {
    const shape = role === 'root' || node.kind === 'job' ? 'box' : 'note';
    const classes = [`prov-${role}`, ...(overlapping.has(index) ? ['prov-overlap'] : [])].join(' ');
    const label = dotText(name!, ...(span === undefined ? [] : [printSpan(span, firstDay)]), ...rest);
    return `n${index} [shape=${shape}, class="${classes}", ${dotLooks[role]}, label=${label}, tooltip=${dotText(path)}];`;
  });

  const spine = new Map<string, string>();
  for (const [place, { index }] of ordered.slice(1).entries()) {
    const key = `${ordered[place]!.index} ${index}`;
    spine.set(key, 'style=invis');
  }
  const others: string[] = [];
  for (const { from, to, kind } of edges) {
    const key = `${from} ${to}`;
    if (spine.get(key) === 'style=invis') spine.set(key, looks[kind]);
    else others.push(`n${from} -> n${to} [${looks[kind]}, constraint=false];`);
  }
  return [
    'digraph prov_timeline {',
    ...[
      ...dotStyle('TB'),
      ...lines,
      ...[...spine].map(([key, look]) => `n${key.replace(' ', ' -> n')} [${look}];`),
      ...others,
    ].map((line) => `  ${line}`),
    '}',
  ].join('\n');
};
