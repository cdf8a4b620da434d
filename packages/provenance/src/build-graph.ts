import type { Edge, Graph, Node } from './graph.js';
import { type TraverseOptions, traverse } from './traverse.js';
import type { Warning } from './warning.js';

/** All that `traverse` tells of a session, as one plain object. Takes its options and throws what it throws. */
export const buildGraph = async (root: string, options: TraverseOptions): Promise<Graph> => {
  const warnings: Warning[] = [];
  const nodes: Node[] = [];
  const edges: Edge[] = [];
  const onWarning = (warning: Warning): void => {
    warnings.push(warning);
    options.onWarning?.(warning);
  };
  for await (const { node, parent, relation, first, detail } of traverse(root, { ...options, onWarning })) {
    if (first) nodes.push(node);
    if (parent && relation) edges.push({ from: parent.id, relation, to: node.id, detail });
  }
  return { root: nodes[0]!, nodes, edges, warnings };
};
