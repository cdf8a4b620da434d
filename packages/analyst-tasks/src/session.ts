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

/** One chat file that was named, and what is below it left alone. `root.path` is as it was named. */
export type OpenFile = {
  context: AnalystContext;
  root: Root;
  /** The messages of a chat, read anew; none where it can't be read. */
  messages: (path: string) => Promise<Chat>;
};

/** What hangs below one chat or job, read once and shared by the tasks that run on it. `root.path` is the real one. */
export type Session = OpenFile & {
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
};

const noExtras: ChatExtras = { roles: {}, calls: [] };

/** Opens one file. Nothing is read yet. */
export const openFile = (root: Root, context: AnalystContext): OpenFile => ({
  context,
  root,
  messages: async (path) => (await context.reader.messages(path)) ?? [],
});

/** Reads a root that was found and what hangs below it. Linear in the bytes of the session. */
export const openRoot = async (
  root: Root,
  context: AnalystContext,
  { follow }: { follow?: readonly string[] | undefined } = {},
): Promise<Session> => {
  const { reader, signal } = context;
  const graph = await buildGraph(root.path, { reader, follow, signal, rootKind: root.kind });
  const { events, warnings } = tokenEvents(graph);
  const nodes = new Map(graph.nodes.map((node) => [node.id, node]));
  const edges = new Map<string, Edge[]>(graph.nodes.map(({ id }) => [id, []]));
  for (const edge of graph.edges) edges.get(edge.from)?.push(edge);
  return {
    ...openFile({ ...root, path: graph.root.path }, context),
    follow,
    graph,
    chats: graph.nodes.filter((node) => node.kind === 'chat'),
    jobs: graph.nodes.filter((node) => node.kind === 'job'),
    events,
    warnings: [...graph.warnings, ...warnings],
    edgesFrom: (id) => edges.get(id) ?? [],
    nodeOf: (id) => nodes.get(id),
    extras: ({ facts }) => (facts.extra as ChatExtras | undefined) ?? noExtras,
  };
};

/**
 * Reads the session that a person named: a chat, or a job where an `.info` lies beside it. Linear in its bytes.
 *
 * @throws ColophonError `unknown_root`, `unknown_relation`.
 */
export const openSession = async (
  name: string,
  context: AnalystContext,
  options: { follow?: readonly string[] | undefined } = {},
): Promise<Session> => openRoot(await findRoot(name, context), context, options);
