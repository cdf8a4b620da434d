import type { Chat } from '@colophon/chat-format';
import {
  buildGraph,
  type ChatNode,
  type Edge,
  type Graph,
  type JobNode,
  type Node,
  type TokenEvent,
  tokenEvents,
  type Warning,
} from '@colophon/provenance';
import type { ChatExtras } from './chat-extras.js';
import { findRoot, type Root } from './root.js';
import type { AnalystContext } from './task.js';

/** What hangs below one chat or job, read once and shared by the tasks that run on it. */
export type Session = {
  context: AnalystContext;
  root: Root;
  /** As it was asked for; undefined: all relations. */
  follow: readonly string[] | undefined;
  graph: Graph;
  chats: readonly ChatNode[];
  jobs: readonly JobNode[];
  events: readonly TokenEvent[];
  /** Of the traversal, then of the events, each once. */
  warnings: readonly Warning[];
  edgesFrom: (id: string) => readonly Edge[];
  nodeOf: (id: string) => Node | undefined;
  /** What the tasks keep of a chat; empty where it could not be read. */
  extras: (chat: ChatNode) => ChatExtras;
  /** The messages of a chat of the session, read anew. */
  messages: (path: string) => Promise<Chat>;
};

const noExtras: ChatExtras = { roles: {}, calls: [] };

/**
 * Reads a root and what hangs below it: a chat, or a job where an `.info` lies beside it. Linear in the bytes of the session.
 *
 * @throws ColophonError `unknown_root`, `unknown_relation`.
 */
export const openSession = async (
  name: string,
  context: AnalystContext,
  { follow }: { follow?: readonly string[] | undefined } = {},
): Promise<Session> => {
  const root = await findRoot(name, context);
  const { reader, signal } = context;
  const graph = await buildGraph(root.path, { reader, follow, signal, rootKind: root.kind });
  const { events, warnings } = tokenEvents(graph);
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const edges = new Map<string, Edge[]>(graph.nodes.map(({ id }) => [id, []]));
  for (const edge of graph.edges) edges.get(edge.from)?.push(edge);
  return {
    context,
    root: { ...root, path: graph.root.path },
    follow,
    graph,
    chats: graph.nodes.filter((node) => node.kind === 'chat'),
    jobs: graph.nodes.filter((node) => node.kind === 'job'),
    events,
    warnings: [...graph.warnings, ...warnings],
    edgesFrom: (id) => edges.get(id) ?? [],
    nodeOf: (id) => nodes.get(id),
    extras: ({ facts }) => (facts.extra as ChatExtras | undefined) ?? noExtras,
    messages: async (path) => (await reader.messages(path)) ?? [],
  };
};
