import { type TokenField, type Tokens, tokenFields } from '@colophon/chat-format';
import { type Adjacency, components } from './components.js';
import { type Edge, nodeId } from './graph.js';
import { condense, span } from './spanning-forest.js';

/** What is summed: a token event, or something else that chats hold. `source` is the path of a chat. */
export type Held = { tokens: Tokens; evidence: readonly { source: string }[] };

/** Sums over the inferences below a node, and their number. */
export type ReachableTokens = Record<TokenField, number> & { events: number };

const width = tokenFields.length + 1;

type Sums = Float64Array;

const add = (sums: Sums, at: number, event: Held, sign: 1 | -1): void => {
  for (let field = 0; field < tokenFields.length; field++)
    sums[at * width + field]! += sign * (event.tokens[tokenFields[field]!] ?? 0);
  sums[at * width + width - 1]! += sign;
};

/** Sums over the distinct events in ranges of places that end at `end`, for each range's start: a tree of partial sums. */
const sumRanges = (
  size: number,
  events: readonly Held[],
  atPlace: Adjacency,
  rangesEndingAt: readonly (readonly { start: number; write: (sums: Sums) => void }[])[],
): void => {
  const tree: Sums = new Float64Array((size + 1) * width);
  const latest = new Int32Array(events.length).fill(-1);
  const update = (place: number, event: Held, sign: 1 | -1): void => {
    for (let at = place + 1; at <= size; at += at & -at) add(tree, at, event, sign);
  };
  const sumBelow = (place: number, into: Sums, sign: 1 | -1): void => {
    for (let at = place; at > 0; at -= at & -at)
      for (let field = 0; field < width; field++) into[field]! += sign * tree[at * width + field]!;
  };
  for (let end = 0; end < size; end++) {
    for (const event of atPlace[end]!) {
      if (latest[event] !== -1) update(latest[event]!, events[event]!, -1);
      latest[event] = end;
      update(end, events[event]!, 1);
    }
    for (const { start, write } of rangesEndingAt[end]!) {
      const sums = new Float64Array(width);
      sumBelow(end + 1, sums, 1);
      sumBelow(start, sums, -1);
      write(sums);
    }
  }
};

/** Sums by walking through all that a component reaches. */
const walk = (start: number, dag: Adjacency, held: Adjacency, events: readonly Held[]): Sums => {
  const sums = new Float64Array(width);
  const seen = new Set([start]);
  const counted = new Set<number>();
  for (const component of seen) {
    for (const target of dag[component]!) seen.add(target);
    for (const event of held[component]!) {
      if (counted.has(event)) continue;
      counted.add(event);
      add(sums, 0, events[event]!, 1);
    }
  }
  return sums;
};

/**
 * The tokens of all distinct inferences that are persisted in a node or in what it leads to, by the node's id; what several nodes
 * lead to counts in each. Nearly linear for trees, chains, loops and what hangs below one another; a node that shares a part of
 * what is below it with nodes beside it costs the size of what it reaches.
 */
export const reachableTokens = (
  graph: { nodes: readonly { id: string }[]; edges: readonly Pick<Edge, 'from' | 'to'>[] },
  events: readonly Held[],
): Map<string, ReachableTokens> => {
  const numbers = new Map(graph.nodes.map(({ id }, index) => [id, index]));
  const edges: number[][] = graph.nodes.map(() => []);
  for (const { from, to } of graph.edges) {
    const [source, target] = [numbers.get(from), numbers.get(to)];
    if (source !== undefined && target !== undefined) edges[source]!.push(target);
  }
  const { of, count } = components(edges);
  const held: number[][] = Array.from({ length: count }, () => []);
  for (const [index, { evidence }] of events.entries()) {
    const holders = new Set(
      evidence.flatMap(({ source }) => {
        const node = numbers.get(nodeId('chat', source));
        return node === undefined ? [] : [of[node]!];
      }),
    );
    for (const holder of holders) held[holder]!.push(index);
  }

  const dag = condense(edges, of, count);
  const { first, last, isWhole } = span(dag);
  const sums: Sums[] = new Array(count);
  const atPlace: number[][] = new Array(count);
  const rangesEndingAt: { start: number; write: (sums: Sums) => void }[][] = Array.from({ length: count }, () => []);
  for (let component = 0; component < count; component++) {
    atPlace[first[component]!] = held[component]!;
    if (!isWhole(component)) sums[component] = walk(component, dag, held, events);
    else {
      const write = (found: Sums) => {
        sums[component] = found;
      };
      rangesEndingAt[last[component]!]!.push({ start: first[component]!, write });
    }
  }
  sumRanges(count, events, atPlace, rangesEndingAt);

  return new Map(
    graph.nodes.map(({ id }, index) => {
      const found = sums[of[index]!]!;
      const tokens = Object.fromEntries(tokenFields.map((field, at) => [field, found[at]!])) as Record<
        TokenField,
        number
      >;
      return [id, { ...tokens, events: found[width - 1]! }];
    }),
  );
};
