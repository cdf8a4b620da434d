import { z } from 'zod';
import { shortPath } from '../address.js';
import { targetAgent } from '../delegations.js';
import { pageInputs, pageOutputs, takePage } from '../pages.js';
import { isReceiptOnly, summariseReceipts } from '../receipts-of-calls.js';
import { type CallWithReceipts, callsWithReceipts, isInteraction } from '../report-calls.js';
import { edgeSchema, toReportEdges } from '../report-edges.js';
import type { Session } from '../session.js';
import { subtreesOf } from '../subtrees.js';
import { defineTask } from '../task.js';
import { tokensSchema } from '../tokens.js';
import { toReportWarning, warningSchema } from '../warnings.js';

const receiptSchema = z.object({
  event_ids: z.array(z.string()),
  receipt_only_event_ids: z.array(z.string()),
  token_total: tokensSchema,
  job_references: z.array(z.string()),
});

const interactionSchema = z.object({
  source: z.string().describe('the chat that the call stands in'),
  call_id: z.string().nullable(),
  tool: z.string(),
  target_agent: z.string().optional(),
  conversation: z.string().optional(),
  success: z.boolean().nullable(),
  receipt: receiptSchema,
  agent_job_edges: z.array(edgeSchema),
  linked_job: z.string().optional().describe('the job that the receipt leads to; the first of several'),
  child_evidence: z
    .enum(['receipt_only', 'log_only', 'both', 'receipt_unresolved', 'none'])
    .describe('where the delegated inferences are persisted'),
  log_link: z.enum(['agent_job_edge', 'none']),
  delegated_token_total: tokensSchema.describe('inferences persisted below the linked jobs'),
  delegated_event_count: z.number().int(),
});

const childEvidence = (
  { carried }: CallWithReceipts,
  session: Session,
): z.input<typeof interactionSchema>['child_evidence'] => {
  const events = carried?.events ?? [];
  const hasLog = (carried?.edges ?? []).some(({ to }) =>
    session.edgesFrom(to).some(({ relation }) => relation === 'log'),
  );
  const saved = hasLog || events.some((event) => !isReceiptOnly(event));
  if (saved) return events.length > 0 ? 'both' : 'log_only';
  if (events.length === 0) return 'none';
  return events.every(({ unresolved }) => unresolved) ? 'receipt_unresolved' : 'receipt_only';
};

const empty = { receipts: [], events: [], edges: [], references: [], warnings: [] };

/** Delegations: who was asked, what it cost, and what there is to prove it. */
export const chatAgents = defineTask({
  name: 'chat_agents',
  description:
    'Every delegation of the session: calls of `ask`, `cortex_continue`, `cortex_brief` and `hand_off_to_…`, and any call whose output carries receipts. For each the agent, what the receipts say, the job that they lead to, and what the inferences below that job cost. Only receipts link a call to a job; names never do. Costs of several calls of one job overlap.',
  root: 'session',
  input: z.object(pageInputs),
  output: z.object({
    interactions: z.array(interactionSchema),
    ...pageOutputs,
    failed: z.number().int().describe('delegations that failed, on all pages'),
    warnings: z.array(warningSchema),
    note: z.string(),
  }),
  run: (session, paging) => {
    const { home } = session.context;
    const delegations = callsWithReceipts(session).filter(isInteraction);
    const { items, facts } = takePage(delegations, paging);
    const subtrees = subtreesOf(
      session,
      items.map(({ carried }) => [...new Set((carried?.edges ?? []).map(({ to }) => to))]),
    );
    const interactions = items.map((one, index): z.input<typeof interactionSchema> => {
      const { call, path, carried } = one;
      const edges = carried?.edges ?? [];
      const linked = edges[0] && session.nodeOf(edges[0].to)?.path;
      const agent = targetAgent(call);
      const receipt = summariseReceipts(carried ?? empty, home);
      return {
        source: shortPath(path, home),
        call_id: call.callId,
        tool: call.tool,
        ...(agent === undefined ? {} : { target_agent: agent }),
        ...(call.conversation === undefined ? {} : { conversation: call.conversation }),
        success: call.success,
        receipt: {
          event_ids: receipt.direct_event_ids,
          receipt_only_event_ids: receipt.receipt_only_event_ids,
          token_total: receipt.direct_token_total,
          job_references: receipt.agent_job_references,
        },
        agent_job_edges: toReportEdges(session, edges),
        ...(linked === undefined ? {} : { linked_job: shortPath(linked, home) }),
        child_evidence: childEvidence(one, session),
        log_link: linked === undefined ? 'none' : 'agent_job_edge',
        delegated_token_total: subtrees[index]!.tokens,
        delegated_event_count: subtrees[index]!.events,
      };
    });
    return {
      interactions,
      ...facts,
      failed: delegations.filter(({ call }) => call.success === false).length,
      warnings: session.warnings.map((warning) => toReportWarning(warning, home)),
      note: 'A delegated total is what lies below the linked jobs; what only the receipt of the call has is `receipt.token_total`. Totals of calls that lead to one job overlap.',
    };
  },
});
