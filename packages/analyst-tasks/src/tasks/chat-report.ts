import { tokenTotals } from '@colophon/provenance';
import { z } from 'zod';
import { printAddress, shortPath } from '../address.js';
import { receiptsOfCalls, summariseReceipts } from '../receipts-of-calls.js';
import { countCalls, firstCalls } from '../report-calls.js';
import { splitCost } from '../split-cost.js';
import { linkedJobs, subtreesOf } from '../subtrees.js';
import { defineTask } from '../task.js';
import { tokensSchema, toReportTokens } from '../tokens.js';
import { toReportWarning, warningSchema } from '../warnings.js';

const shownFailures = 5;
const shownReceipts = 3;

const whole = () => z.number().int();

const failureSchema = z.object({
  tool: z.string(),
  call_id: z.string().nullable(),
  call_address: z.string(),
  output_address: z.string().nullable(),
  status_reason: z.string(),
});

const summarySchema = z.object({
  source: z.string(),
  call_id: z.string().nullable(),
  tool: z.string(),
  output_address: z.string().nullable(),
  receipt_meta_count: whole(),
  direct_event_ids: z.array(z.string()),
  direct_token_total: tokensSchema,
  agent_job_references: z.array(z.string()),
});

const delegationSchema = z.object({
  linked_jobs: whole().describe('jobs that receipts lead to, each once'),
  malformed_edges: whole().describe('receipts that could not be read'),
  subtrees: z
    .array(z.object({ job: z.string(), tokens: tokensSchema, events: whole(), chats: whole() }))
    .describe('what lies below each linked job; subtrees may overlap'),
  root_chat_tokens: tokensSchema.describe("what the root's own chats have"),
  root_chat_events: whole(),
  delegated_tokens: tokensSchema.describe('what lies below linked jobs, each inference once'),
  delegated_events: whole(),
  unattributed_tokens: tokensSchema.describe('the rest; the three parts add up to the total'),
  unresolved_jobs: z.array(z.string()).describe('jobs that receipts name and nobody found'),
});

/** A session on one screen. */
export const chatReport = defineTask({
  name: 'chat_report',
  description:
    'A session on one screen: counts, the token total and what only receipts have, conflicts, failed calls, delegated cost, warnings. The first answer to what happened here; the other tasks give the details.',
  root: 'session',
  input: z.object({}),
  output: z.object({
    root: z.object({ kind: z.enum(['chat', 'job']), path: z.string() }),
    chats: whole(),
    jobs: whole(),
    missing_jobs: whole(),
    edges: whole(),
    agent_job_edges: whole(),
    tokens: z.object({
      deduplicated_total: tokensSchema.describe('the one cost'),
      receipt_only: tokensSchema,
      direct_events: whole(),
      multi_evidence_events: whole().describe('inferences that are persisted more than once'),
      conflicts: whole(),
      incomplete_evidence: whole(),
    }),
    tool_calls: whole(),
    unique_tool_calls: whole(),
    failed_tool_calls: whole(),
    failures: z.array(failureSchema).describe(`the first ${shownFailures}`),
    receipt_summaries: z.array(summarySchema).describe(`the first ${shownReceipts}`),
    delegation: delegationSchema,
    warnings: z.array(warningSchema),
    notes: z.array(z.string()),
  }),
  run: (session) => {
    const { graph, events, warnings, context, root } = session;
    const { home } = context;
    const counts = countCalls(session);
    const carriers = new Map(
      session.chats.map(({ id, facts }) => [id, new Set(facts.receipts.map(({ index }) => index))]),
    );
    const carrying = firstCalls(
      session,
      shownReceipts,
      ({ output }, chat) => output !== null && carriers.get(chat.id)!.has(output),
    );
    const carriedBy = receiptsOfCalls(session, carrying);
    const linked = linkedJobs(session);
    const parts = splitCost(session);
    const subtrees = subtreesOf(
      session,
      linked.map((id) => [id]),
    );
    const address = (path: string, index: number | null) => (index === null ? null : printAddress(path, index, home));
    return {
      root: { kind: root.kind, path: shortPath(root.path, home) },
      chats: session.chats.length,
      jobs: session.jobs.length,
      missing_jobs: session.jobs.filter(({ missing }) => missing).length,
      edges: graph.edges.length,
      agent_job_edges: graph.edges.filter(({ relation }) => relation === 'agent_job').length,
      tokens: {
        deduplicated_total: toReportTokens(tokenTotals(events, 'deduplicated_total')),
        receipt_only: toReportTokens(tokenTotals(events, 'receipt_only')),
        direct_events: events.length,
        multi_evidence_events: events.filter(({ evidence }) => evidence.length > 1).length,
        conflicts: events.filter(({ conflict }) => conflict).length,
        incomplete_evidence: events.filter(({ incompleteEvidence }) => incompleteEvidence).length,
      },
      tool_calls: counts.total,
      unique_tool_calls: counts.unique_calls,
      failed_tool_calls: counts.failures,
      failures: firstCalls(session, shownFailures, ({ success }) => success === false).map(({ call, path }) => ({
        tool: call.tool,
        call_id: call.callId,
        call_address: printAddress(path, call.call, home),
        output_address: address(path, call.output),
        status_reason: call.reason,
      })),
      receipt_summaries: carrying.map(({ call, path }) => {
        const summary = summariseReceipts(carriedBy(path, call.output!)!, home);
        return {
          source: shortPath(path, home),
          call_id: call.callId,
          tool: call.tool,
          output_address: address(path, call.output),
          receipt_meta_count: summary.receipt_meta_count,
          direct_event_ids: summary.direct_event_ids,
          direct_token_total: summary.direct_token_total,
          agent_job_references: summary.agent_job_references,
        };
      }),
      delegation: {
        linked_jobs: linked.length,
        malformed_edges: warnings.filter(
          ({ code, reference, outputAddress }) =>
            outputAddress && reference === undefined && code !== 'unresolved_job_reference',
        ).length,
        subtrees: linked.map((id, index) => ({ job: shortPath(session.nodeOf(id)!.path, home), ...subtrees[index]! })),
        root_chat_tokens: parts.root.tokens,
        root_chat_events: parts.root.events,
        delegated_tokens: parts.delegated.tokens,
        delegated_events: parts.delegated.events,
        unattributed_tokens: parts.unattributed.tokens,
        unresolved_jobs: [
          ...new Set(
            warnings.flatMap(({ code, reference }) =>
              code === 'unresolved_job_reference' && reference !== undefined ? [shortPath(reference, home)] : [],
            ),
          ),
        ],
      },
      warnings: warnings.map((warning) => toReportWarning(warning, home)),
      notes: [
        '`deduplicated_total` is the one cost: every inference once. `receipt_only` is a part of it.',
        '`root_chat_tokens`, `delegated_tokens` and `unattributed_tokens` add up to it; the subtrees of single jobs may overlap.',
      ],
    };
  },
});
