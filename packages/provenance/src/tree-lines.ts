import type { Edge, Graph, Node, Relation } from './graph.js';
import type { Picture } from './picture.js';

const order: readonly Relation[] = ['dependency', 'log', 'job', 'agent_job', 'result'];

/** A line of a tree: a node, how deep it hangs, and by what. The root hangs by nothing. */
export type TreeLine = { node: Node; level: number; relation: Relation | undefined };

/** The shown nodes as lines of a tree, each once, at the first place where it hangs. What hangs below a hidden node takes its place. */
export const treeLines = ({ root, nodes, edges }: Graph, { shown }: Picture): TreeLine[] => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const children = new Map<string, Edge[]>();
  for (const relation of order)
    for (const edge of edges)
      if (edge.relation === relation) {
        const known = children.get(edge.from);
        if (known === undefined) children.set(edge.from, [edge]);
        else known.push(edge);
      }
  const lines: TreeLine[] = [];
  const seen = new Set<string>();
  const waiting: TreeLine[] = [{ node: root, level: 0, relation: undefined }];
  for (let line = waiting.pop(); line !== undefined; line = waiting.pop()) {
    const { id } = line.node;
    if (seen.has(id)) continue;
    seen.add(id);
    const visible = shown(id) === id;
    if (visible) lines.push(line);
    const level = visible ? line.level + 1 : line.level;
    for (const { to, relation } of (children.get(id) ?? []).toReversed())
      if (!seen.has(to)) waiting.push({ node: byId.get(to)!, level, relation });
  }
  return lines;
};
