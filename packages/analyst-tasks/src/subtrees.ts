import { sumTokens } from '@colophon/chat-format';
import { nodeId, type Relation, reachableTokens, type TokenEvent } from '@colophon/provenance';
import type { Session } from './session.js';
import type { ReportTokens } from './tokens.js';

/** Relations that lead from a delegated job to its own chats. What a job depends on is not its delegation. */
const below: readonly Relation[] = ['log', 'result', 'agent_job', 'job'];

/** What lies below some jobs: inferences whose canonical evidence is there, and chats. */
export type Subtree = { tokens: ReportTokens; events: number; chats: number };

/** What the events of each chat that are canonical there sum up to: events are in one chat each, so that chats may be added. */
const sumsOfChats = ({ chats, events }: Session) => {
  const held = new Map<string, TokenEvent[]>(chats.map(({ path }) => [path, []]));
  for (const event of events) held.get(event.evidence[0].source)?.push(event);
  return [...held].map(([source, own]) => ({
    evidence: [{ source }],
    tokens: sumTokens(own.map(tokensOf)),
    events: own.length,
  }));
};

const tokensOf = ({ tokens }: TokenEvent) => tokens;

/**
 * What lies below each of several groups of nodes, each inference once a group. Nearly linear in the session and the groups: a group
 * of several is a node of its own that leads to its members, and equal groups are one.
 */
export const subtreesOf = (session: Session, groups: readonly (readonly string[])[]): Subtree[] => {
  if (groups.length === 0) return [];
  const { graph } = session;
  const keyOf = (members: readonly string[]) =>
    members.length === 1 ? members[0]! : `group:${JSON.stringify(members)}`;
  const joined = new Map(groups.filter(({ length }) => length !== 1).map((members) => [keyOf(members), members]));
  const extended = {
    nodes: [...graph.nodes, ...[...joined.keys()].map((id) => ({ id }))],
    edges: [
      ...graph.edges.filter(({ relation }) => below.includes(relation)),
      ...[...joined].flatMap(([from, members]) => members.map((to) => ({ from, to }))),
    ],
  };
  const chats = sumsOfChats(session);
  const sums = reachableTokens(extended, chats);
  const counts = reachableTokens(
    extended,
    chats.map(({ evidence, events }) => ({ evidence, tokens: { tt: events } })),
  );
  return groups.map((members) => {
    const { events: count, ...tokens } = sums.get(keyOf(members))!;
    return { tokens, events: counts.get(keyOf(members))!.tt, chats: count };
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
