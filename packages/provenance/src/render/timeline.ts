import { widest } from '../columns.js';
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

// In points. The places are ours: nothing that is laid out has to follow edges over hundreds of ranks. The root, at place 0, has a
// line more, and larger letters.
const step = 62;
const halves = { root: 36, other: 24 };
const column = { root: 7.6, other: 6.3 };
const arrow = 10;

const halfAt = (place: number): number => (place === 0 ? halves.root : halves.other);
const heightAt = (place: number): string => ((2 * halfAt(place)) / 72).toFixed(2);
const middleOf = (place: number): number => -step * place - (place === 0 ? 0 : halves.root - halves.other);

/** A line straight down to the next place. */
const straight = (from: number, head: number): string => {
  const [top, bottom] = [middleOf(from) - halfAt(from), middleOf(from + 1) + halves.other];
  const points = [top, top - 2, bottom + head + 2, bottom + head].map((y) => `0,${y}`).join(' ');
  return head === 0 ? `pos="${points}"` : `pos="e,0,${bottom} ${points}"`;
};

/** An edge from one place to another: straight between neighbours, else an arc on the right. */
const arc = (from: number, to: number, right: number): string => {
  if (to === from + 1) return straight(from, arrow);
  const [start, end] = [middleOf(from), middleOf(to)];
  const far = Math.round(right + 24 + 16 * Math.sqrt(Math.abs(to - from)));
  const points = [`${right},${start}`, `${far},${start}`, `${far},${end}`, `${right + arrow},${end}`];
  return `pos="e,${right},${end} ${points.join(' ')}", lp="${Math.round(right + 0.75 * (far - right))},${(start + end) / 2}"`;
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

  const linesOf = ({ lines: [name, ...rest], span }: Timed): string[] => [
    name!,
    ...(span === undefined ? [] : [printSpan(span, firstDay)]),
    ...rest,
  ];
  const widths = ordered.map((timed) => widest(linesOf(timed), 24) * column[timed.role === 'root' ? 'root' : 'other']);
  const right = Math.ceil(widths.reduce((most, width) => Math.max(most, width), 0) / 2) + 10;
  const nodeLines = ordered.map((timed, place) => {
    const { node, path, role, index } = timed;
    const shape = role === 'root' || node.kind === 'job' ? 'box' : 'note';
    const classes = [`prov-${role}`, ...(overlapping.has(index) ? ['prov-overlap'] : [])].join(' ');
    const height = place === 0 ? `, height=${heightAt(place)}` : '';
    return `n${index} [shape=${shape}, class="${classes}", ${dotLooks[role]}${height}, label=${dotText(...linesOf(timed))}, tooltip=${dotText(path)}, pos="0,${middleOf(place)}"];`;
  });

  const places = new Map(ordered.map(({ index }, place) => [index, place]));
  const joined = new Set<string>();
  const edgeLines = edges.map(({ from, to, kind }) => {
    const [start, end] = [places.get(from)!, places.get(to)!];
    joined.add(`${start} ${end}`);
    const free = end === start + 1 ? '' : ', constraint=false';
    return `n${from} -> n${to} [${looks[kind]}${free}, ${arc(start, end, right)}];`;
  });
  const spine = ordered
    .slice(1)
    .flatMap(({ index }, place) =>
      joined.has(`${place} ${place + 1}`)
        ? []
        : [
            `n${ordered[place]!.index} -> n${index} [class="spine", arrowhead=none, color="#d8dee4", ${straight(place, 0)}];`,
          ],
    );
  const width = ((2 * right) / 72).toFixed(2);
  return [
    'digraph prov_timeline {',
    ...[
      'layout=nop2;',
      ...dotStyle('TB'),
      `node [width=${width}, height=${heightAt(1)}];`,
      ...nodeLines,
      ...spine,
      ...edgeLines,
    ].map((line) => `  ${line}`),
    '}',
  ].join('\n');
};
