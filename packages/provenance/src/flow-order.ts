import type { Node } from './graph.js';
import { byText } from './path-text.js';
import type { Picture } from './picture.js';

/** The shown nodes as data flows: jobs behind the jobs that they depend on, then chats by their paths. Loops end. */
export const flowOrder = ({ nodes, edges }: Picture): Node[] => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const needs = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { from, relation, to } of edges) if (relation === 'dependency') needs.get(from)?.push(to);

  const ordered: Node[] = [];
  const seen = new Set<string>();
  for (const start of nodes) {
    if (start.kind === 'chat' || seen.has(start.id)) continue;
    seen.add(start.id);
    const path = [{ id: start.id, next: 0 }];
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const need = needs.get(step.id)![step.next++];
      if (need === undefined) {
        ordered.push(byId.get(step.id)!);
        path.pop();
      } else if (!seen.has(need)) {
        seen.add(need);
        path.push({ id: need, next: 0 });
      }
    }
  }
  const chats = nodes.filter(({ kind }) => kind === 'chat').sort((a, b) => byText(a.path, b.path));
  return [...ordered, ...chats];
};
