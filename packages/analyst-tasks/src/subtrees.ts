import { nodeId, type Relation, reachableTokens } from '@colophon/provenance';
import type { Session } from './session.js';
import type { ReportTokens } from './tokens.js';

/** Relations that lead from a delegated job to its own chats. What a job depends on is not its delegation. */
const below: readonly Relation[] = ['log', 'result', 'agent_job', 'job'];

/** What lies below some jobs: inferences whose canonical evidence is there, and chats. */
export type Subtree = { tokens: ReportTokens; events: number; chats: number };

/**
 * What lies below each of several groups of nodes, each inference once a group. Nearly linear in the session and the groups: a group
 * is a node of its own that leads to its members.
 */
export const subtreesOf = (session: Session, groups: readonly (readonly string[])[]): Subtree[] => {
  const { graph, events, chats } = session;
  const ids = groups.map((_, index) => `group:${index}`);
  const extended = {
    nodes: [...graph.nodes, ...ids.map((id) => ({ id }))],
    edges: [
      ...graph.edges.filter(({ relation }) => below.includes(relation)),
      ...groups.flatMap((members, index) => members.map((to) => ({ from: ids[index]!, to }))),
    ],
  };
  const canonical = events.map(({ tokens, evidence: [first] }) => ({ tokens, evidence: [first] }));
  const places = chats.map(({ path }) => ({ tokens: {}, evidence: [{ source: path }] }));
  const [sums, counts] = [reachableTokens(extended, canonical), reachableTokens(extended, places)];
  return ids.map((id) => {
    const { events: count, ...tokens } = sums.get(id)!;
    return { tokens, events: count, chats: counts.get(id)!.events };
  });
};

/** Ids of all that can be reached from some nodes by the relations that lead to their own chats, they themselves among it. */
export const reachedFrom = ({ edgesFrom }: Session, starts: Iterable<string>): Set<string> => {
  const reached = new Set(starts);
  for (const id of reached) for (const { to, relation } of edgesFrom(id)) if (below.includes(relation)) reached.add(to);
  return reached;
};

/** Ids of the jobs that receipts lead to, each once, in the order in which they were found. */
export const linkedJobs = ({ graph }: Session): string[] => [
  ...new Set(graph.edges.filter(({ relation }) => relation === 'agent_job').map(({ to }) => to)),
];

/** Ids of the chats that are the root's own: the root chat, or the logs and the result of the root job. */
export const rootChats = ({ graph: { root }, edgesFrom }: Session): Set<string> =>
  root.kind === 'chat'
    ? new Set([root.id])
    : new Set([
        ...edgesFrom(root.id)
          .filter(({ relation }) => relation === 'log' || relation === 'result')
          .map(({ to }) => to),
        nodeId('chat', root.path),
      ]);
