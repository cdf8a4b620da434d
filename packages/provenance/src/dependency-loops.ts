import type { Edge, Node } from './graph.js';
import type { Warning } from './warning.js';

/**
 * Jobs that depend on themselves, one warning a circle. Takes away, again and again, jobs that depend on nothing left and jobs on
 * which nothing left depends; what stays lies on circles, or between them. Linear in nodes and edges.
 */
export const dependencyLoops = (nodes: Iterable<Node>, edges: Iterable<Edge>): Warning[] => {
  const needs = new Map<string, string[]>();
  const neededBy = new Map<string, string[]>();
  const push = (map: Map<string, string[]>, key: string, value: string) => {
    const list = map.get(key);
    if (list) list.push(value);
    else map.set(key, [value]);
  };
  for (const { from, relation, to } of edges) {
    if (relation !== 'dependency') continue;
    push(needs, from, to);
    push(neededBy, to, from);
  }
  const left = new Set([...needs.keys(), ...neededBy.keys()]);
  const prune = (forward: Map<string, string[]>, backward: Map<string, string[]>) => {
    const count = new Map([...left].map((id) => [id, (forward.get(id) ?? []).filter((to) => left.has(to)).length]));
    const free = [...left].filter((id) => count.get(id) === 0);
    for (const id of free) {
      left.delete(id);
      for (const from of backward.get(id) ?? []) {
        const rest = (count.get(from) ?? 0) - 1;
        count.set(from, rest);
        if (rest === 0) free.push(from);
      }
    }
  };
  prune(needs, neededBy);
  prune(neededBy, needs);
  const warnings: Warning[] = [];
  const told = new Set<string>();
  for (const { id, path } of nodes) {
    if (!left.has(id) || told.has(id)) continue;
    const circle = [id];
    told.add(id);
    for (const member of circle)
      for (const next of needs.get(member) ?? [])
        if (left.has(next) && !told.has(next)) {
          told.add(next);
          circle.push(next);
        }
    const names = circle.slice(0, 5).map((member) => member.slice('job:'.length));
    warnings.push({
      code: 'dependency_loop',
      message: `dependency_loop: ${path}.info says that the job depends on itself, by ${names.join(', ')}${circle.length > 5 ? ` and ${circle.length - 5} more` : ''}. Each job is read once.`,
      path,
      address: `${path}.info`,
      relation: 'dependency',
    });
  }
  return warnings;
};
