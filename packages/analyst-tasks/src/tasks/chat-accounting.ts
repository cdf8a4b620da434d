import { buildGraph, nodeId, type TokenEvent, tokenEvents, tokenTotals } from '@colophon/provenance';
import { z } from 'zod';
import { shortPath } from '../address.js';
import { importClosure } from '../import-references.js';
import { countCalls } from '../report-calls.js';
import { openRoot, type Session } from '../session.js';
import { linkedJobs, reachedFrom } from '../subtrees.js';
import { defineTask } from '../task.js';
import { sumOf, tokensSchema, toReportTokens } from '../tokens.js';
import { toReportWarning, warningSchema } from '../warnings.js';

const whole = () => z.number().int();

const ownEntry = z.object({
  scope: z.literal('own'),
  chat: z.string(),
  imports: z.array(z.string()).describe('chats that it imports itself'),
  unresolved_imports: z.array(z.string()).optional(),
  messages: whole(),
  tokens: tokensSchema.describe('all that hangs below this chat, delegation among it'),
  token_events: whole(),
  conflicts: whole(),
  incomplete_evidence: whole(),
  tool_calls: whole(),
  direct_jobs: whole().describe('jobs that its metas name'),
  direct_tokens: tokensSchema.describe('inferences of this very file'),
  direct_events: whole(),
  delegated_tokens: tokensSchema.describe('inferences below the jobs that receipts lead to'),
  delegated_events: whole(),
  delegated_subtrees: z.array(z.string()),
  warnings: z.array(warningSchema),
});

const closureEntry = z.object({
  scope: z.literal('closure'),
  chat: z.string(),
  chats: whole(),
  tokens: tokensSchema,
  token_events: whole(),
  conflicts: whole(),
  incomplete_evidence: whole(),
  token_events_per_chat: z.record(z.string(), whole()),
});

/** A chat, be it the result of a job, and what hangs below it, by the relations that were asked for. */
const sessionOf = (path: string, { context, follow }: Session): Promise<Session> =>
  openRoot({ kind: 'chat', path }, context, { follow });

const toOwnEntry = (
  session: Session,
  imports: readonly string[],
  unresolved: readonly string[],
): z.input<typeof ownEntry> => {
  const { events, warnings, context, chats, graph } = session;
  const { home } = context;
  const root = chats[0]!;
  const linked = linkedJobs(session);
  const below = reachedFrom(session, linked);
  const holder = (event: TokenEvent) => nodeId('chat', event.evidence[0].source);
  const direct = events.filter((event) => holder(event) === graph.root.id);
  const delegated = events.filter((event) => holder(event) !== graph.root.id && below.has(holder(event)));
  return {
    scope: 'own',
    chat: shortPath(root.path, home),
    imports: imports.map((path) => shortPath(path, home)),
    ...(unresolved.length > 0 ? { unresolved_imports: [...unresolved] } : {}),
    messages: root.facts.messages,
    tokens: toReportTokens(tokenTotals(events)),
    token_events: events.length,
    conflicts: events.filter(({ conflict }) => conflict).length,
    incomplete_evidence: events.filter(({ incompleteEvidence }) => incompleteEvidence).length,
    tool_calls: countCalls(session).total,
    direct_jobs: session.edgesFrom(graph.root.id).filter(({ relation }) => relation === 'job').length,
    direct_tokens: sumOf(direct),
    direct_events: direct.length,
    delegated_tokens: sumOf(delegated),
    delegated_events: delegated.length,
    delegated_subtrees: linked.map((id) => shortPath(session.nodeOf(id)!.path, home)),
    warnings: warnings.map((warning) => toReportWarning(warning, home)),
  };
};

/** Joins the nodes of several sessions, each once, so that an inference of two of them counts once. */
const mergedEvents = async (paths: readonly string[], { context, follow }: Session) => {
  const nodes = new Map<string, Awaited<ReturnType<typeof buildGraph>>['nodes'][number]>();
  const perChat: Record<string, number> = {};
  for (const path of paths) {
    const graph = await buildGraph(path, { reader: context.reader, follow, signal: context.signal, rootKind: 'chat' });
    for (const node of graph.nodes) if (!nodes.has(node.id)) nodes.set(node.id, node);
    perChat[shortPath(path, context.home)] = tokenEvents(graph).events.length;
  }
  return { events: tokenEvents({ nodes: [...nodes.values()] }).events, perChat };
};

const chatAccountingNotes = {
  own: 'Each entry is what one chat and all below it cost. An inference that several chats hold is in the entry of each: for one total ask for `scope: closure`.',
  closure: 'One entry for the root and all that it imports, every inference once.',
};

/** What a chat cost, and each chat that it imports, apart from one another. */
export const chatAccounting = defineTask({
  name: 'chat_accounting',
  description:
    'The cost of a chat and of every chat in its import closure. `own`: an entry a chat, from its own file and what hangs below it, so that no chat takes in the cost of what it imports. `closure`: one entry for all, every inference once.',
  root: 'chat',
  input: z.object({ scope: z.enum(['own', 'closure']).default('own') }),
  output: z.object({
    source: z.string(),
    scope: z.enum(['own', 'closure']),
    closure: z.array(z.string()).describe('what is imported before what imports it, the root last'),
    entries: z.array(z.union([ownEntry, closureEntry])),
    note: z.string(),
  }),
  run: async (session, { scope }) => {
    const { context, root } = session;
    const { home } = context;
    const closure = await importClosure(root.path, context);
    const common = {
      source: shortPath(root.path, home),
      scope,
      closure: closure.map(({ path }) => shortPath(path, home)),
      note: chatAccountingNotes[scope],
    };
    if (scope === 'closure') {
      const paths = closure.map(({ path }) => path);
      const { events, perChat } = await mergedEvents(paths, session);
      return {
        ...common,
        entries: [
          {
            scope,
            chat: common.source,
            chats: paths.length,
            tokens: toReportTokens(tokenTotals(events)),
            token_events: events.length,
            conflicts: events.filter(({ conflict }) => conflict).length,
            incomplete_evidence: events.filter(({ incompleteEvidence }) => incompleteEvidence).length,
            token_events_per_chat: perChat,
          },
        ],
      };
    }
    const entries: z.input<typeof ownEntry>[] = [];
    for (const { path, references } of closure) {
      const imports = references.filter(({ type }) => type === 'import');
      const own = path === root.path ? session : await sessionOf(path, session);
      const targets = imports.flatMap(({ target }) => (target === undefined ? [] : [target]));
      const unresolved = imports.flatMap(({ target, reference }) => (target === undefined ? [reference] : []));
      entries.push(toOwnEntry(own, [...new Set(targets)], unresolved));
    }
    return { ...common, entries };
  },
});
