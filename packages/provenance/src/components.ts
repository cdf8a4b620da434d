/** Node by node the nodes that its edges lead to, by number. */
export type Adjacency = readonly (readonly number[])[];

/**
 * Strongly connected components (Tarjan, without recursion): for each node the number of its component. An edge between two
 * components leads from the higher number to the lower. Linear in nodes and edges.
 */
export const components = (edges: Adjacency): { of: Int32Array; count: number } => {
  const of = new Int32Array(edges.length).fill(-1);
  const order = new Int32Array(edges.length).fill(-1);
  const low = new Int32Array(edges.length);
  const next = new Int32Array(edges.length);
  const open: number[] = [];
  let seen = 0;
  let count = 0;

  const close = (node: number): void => {
    let member: number;
    do {
      member = open.pop()!;
      of[member] = count;
    } while (member !== node);
    count++;
  };

  for (let start = 0; start < edges.length; start++) {
    if (order[start] !== -1) continue;
    const path = [start];
    while (path.length > 0) {
      const node = path.at(-1)!;
      if (next[node] === 0 && order[node] === -1) {
        order[node] = low[node] = seen++;
        open.push(node);
      }
      const target = edges[node]![next[node]!++];
      if (target !== undefined) {
        if (order[target] === -1) path.push(target);
        else if (of[target] === -1) low[node] = Math.min(low[node]!, order[target]!);
        continue;
      }
      if (low[node] === order[node]) close(node);
      path.pop();
      const parent = path.at(-1);
      if (parent !== undefined) low[parent] = Math.min(low[parent]!, low[node]!);
    }
  }
  return { of, count };
};
