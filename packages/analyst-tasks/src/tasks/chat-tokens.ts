import { type TokenScope, tokenTotals } from '@colophon/provenance';
import { z } from 'zod';
import { pageInputs, pageOutputs, takePage } from '../pages.js';
import { eventSchema, toReportEvent } from '../report-events.js';
import { defineTask } from '../task.js';
import { tokensSchema, toReportTokens } from '../tokens.js';
import { toReportWarning, warningSchema } from '../warnings.js';

/** What may be added to what. */
const tokenNotes = [
  '`deduplicated_total` is the one cost: every inference once.',
  '`chat_evidence` and `receipt_evidence` say what chats and what receipts cover; they overlap and are not to be added.',
  '`receipt_only` is a part of the total: what no saved chat has.',
  'Cached prompt tokens (`cct`, a part of `pt`) cost about a tenth of others.',
];

/** What a session cost, inference by inference. */
export const chatTokens = defineTask({
  name: 'chat_tokens',
  description:
    'The token cost of a session. Every paid inference counts once, however many copies of it are saved, and names all places where it is. Running totals and job markers never count. A total with conflicts is the best that the evidence allows. Pages narrow the list of events alone.',
  root: 'session',
  input: z.object(pageInputs),
  output: z.object({
    deduplicated_total: tokensSchema,
    chat_evidence: tokensSchema,
    receipt_evidence: tokensSchema,
    receipt_only: tokensSchema,
    events: z.array(eventSchema),
    ...pageOutputs,
    conflicts: z.array(eventSchema),
    incomplete_evidence: z.array(eventSchema),
    warnings: z.array(warningSchema),
    notes: z.array(z.string()),
  }),
  run: ({ events, warnings, context: { home } }, paging) => {
    const { items, facts } = takePage(events, paging);
    const totals = (scope: TokenScope) => toReportTokens(tokenTotals(events, scope));
    const show = (event: (typeof events)[number]) => toReportEvent(event, home);
    return {
      deduplicated_total: totals('deduplicated_total'),
      chat_evidence: totals('chat_evidence'),
      receipt_evidence: totals('receipt_evidence'),
      receipt_only: totals('receipt_only'),
      events: items.map(show),
      ...facts,
      conflicts: events.filter(({ conflict }) => conflict).map(show),
      incomplete_evidence: events.filter(({ incompleteEvidence }) => incompleteEvidence).map(show),
      warnings: warnings.map((warning) => toReportWarning(warning, home)),
      notes: tokenNotes,
    };
  },
});
