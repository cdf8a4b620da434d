import type { Adjacency } from './components.js';

/** Components as an acyclic graph: for each the others that it leads to, those with the longest way below them first. */
export const condense = (edges: Adjacency, of: Int32Array, count: number): number[][] => {
  const targets: Set<number>[] = Array.from({ length: count }, () => new Set());
  for (const [node, list] of edges.entries())
    for (const target of list) if (of[node] !== of[target]) targets[of[node]!]!.add(of[target]!);
  const height = new Int32Array(count);
  return targets.map((set, component) => {
    const list = [...set].sort((a, b) => height[b]! - height[a]!);
    height[component] = list.length === 0 ? 0 : height[list[0]!]! + 1;
    return list;
  });
};

/**
 * A spanning forest: for each component its place in depth-first order and the last place below it, and whether all that it
 * reaches lies between the two.
 */
export const span = (dag: Adjacency) => {
  const first = new Int32Array(dag.length).fill(-1);
  const last = new Int32Array(dag.length);
  const low = new Int32Array(dag.length);
  const next = new Int32Array(dag.length);
  let place = 0;
  for (let start = dag.length - 1; start >= 0; start--) {
    if (first[start] !== -1) continue;
    const path = [start];
    first[start] = low[start] = place++;
    while (path.length > 0) {
      const node = path.at(-1)!;
      const target = dag[node]![next[node]!++];
      if (target === undefined) {
        last[node] = place - 1;
        path.pop();
        const parent = path.at(-1);
        if (parent !== undefined) low[parent] = Math.min(low[parent]!, low[node]!);
      } else if (first[target] === -1) {
        first[target] = low[target] = place++;
        path.push(target);
      } else low[node] = Math.min(low[node]!, first[target]!);
    }
  }
  return { first, last, isWhole: (node: number) => low[node]! >= first[node]! };
};
