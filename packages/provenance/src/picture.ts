import { type ChatNode, type Edge, type Graph, type JobNode, type Node, nodeId } from './graph.js';
import type { TokenEvent } from './token-event.js';

/** What all pictures of a session share: what is shown, and what stands for what is not. */
export type Picture = {
  /** The nodes that are shown, in the order in which they were found. */
  nodes: Node[];
  /** The id of the node that is shown for a node: its own, or that of the job whose result or transcript it is. */
  shown: (id: string) => string;
  /** Edges between shown nodes, each once, without loops; `from` and `to` are ids of shown nodes. */
  edges: Edge[];
  /** The events whose canonical evidence a shown node holds; every event belongs to exactly one. */
  direct: Map<string, TokenEvent[]>;
};

const isOwnTranscript = (chat: ChatNode, job: JobNode): boolean => chat.path === `${job.path}.files/agent.chat`;

/** Chats that are not shown: results of jobs, and a job's own top-level transcript; by their ids, with the id of the job. */
export const hiddenChats = ({ root, nodes, edges }: Graph): Map<string, string> => {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const hidden = new Map<string, string>();
  for (const { from, relation, to } of edges) {
    const [job, chat] = [byId.get(from), byId.get(to)];
    if (job?.kind !== 'job' || chat?.kind !== 'chat' || to === root.id || hidden.has(to)) continue;
    if (relation === 'result' || (relation === 'log' && isOwnTranscript(chat, job))) hidden.set(to, from);
  }
  return hidden;
};

/** Takes a graph as it is drawn. Linear in nodes, edges and events. */
export const toPicture = (graph: Graph, events: readonly TokenEvent[]): Picture => {
  const hidden = hiddenChats(graph);
  const shown = (id: string): string => hidden.get(id) ?? id;
  const nodes = graph.nodes.filter(({ id }) => !hidden.has(id));

  const edges = new Map<string, Edge>();
  for (const edge of graph.edges) {
    const [from, to] = [shown(edge.from), shown(edge.to)];
    const key = JSON.stringify([from, edge.relation, to]);
    if (from !== to && !edges.has(key)) edges.set(key, { ...edge, from, to });
  }

  const direct = new Map<string, TokenEvent[]>(nodes.map(({ id }) => [id, []]));
  for (const event of events) {
    const holder = direct.get(shown(nodeId('chat', event.evidence[0].source))) ?? direct.get(graph.root.id);
    holder?.push(event);
  }
  return { nodes, shown, edges: [...edges.values()], direct };
};
