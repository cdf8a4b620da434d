import type { Edge, Evidence, ReceiptFact, TokenEvent, Warning } from '@colophon/provenance';
import { z } from 'zod';
import { shortPath } from './address.js';
import { eventId } from './report-events.js';
import type { Session } from './session.js';
import { sumOf, tokensSchema } from './tokens.js';
import { type ReportWarning, toReportWarning, warningSchema } from './warnings.js';

/** All that hangs at one output: its receipts, the events that they are evidence of, the jobs that they name. */
export type OutputReceipts = {
  receipts: ReceiptFact[];
  events: TokenEvent[];
  edges: Edge[];
  /** References to jobs, as the receipts have them. */
  references: string[];
  warnings: Warning[];
};

/** A place of an output, as a key. */
export const outputKey = (path: string, output: number): string => `${output} ${path}`;

const nothing = (): OutputReceipts => ({ receipts: [], events: [], edges: [], references: [], warnings: [] });

const isReceipt = (evidence: Evidence): boolean => evidence.origin === 'agent_meta';

/** What the outputs of a session carry, by `outputKey`. One pass over receipts, events, edges and warnings. */
export const receiptsOfCalls = (session: Session): Map<string, OutputReceipts> => {
  const outputs = new Map<string, OutputReceipts>();
  const at = (path: string, output: number): OutputReceipts => {
    const key = outputKey(path, output);
    const found = outputs.get(key) ?? nothing();
    outputs.set(key, found);
    return found;
  };
  for (const { path, facts } of session.chats)
    for (const receipt of facts.receipts) {
      const output = at(path, receipt.index);
      output.receipts.push(receipt);
      const { job } = receipt.meta;
      if (job !== undefined && job !== '') output.references.push(String(job));
    }
  for (const event of session.events) {
    const told = new Set<OutputReceipts>();
    for (const { source, address } of event.evidence.filter(isReceipt)) {
      const output = at(source, address[1]);
      if (!told.has(output)) output.events.push(event);
      told.add(output);
    }
  }
  for (const edge of session.graph.edges) if (edge.detail) at(...edge.detail.outputAddress).edges.push(edge);
  for (const warning of session.warnings)
    if (warning.outputAddress) at(...warning.outputAddress).warnings.push(warning);
  return outputs;
};

/** Whether no chat has an event. */
export const isReceiptOnly = (event: TokenEvent): boolean => event.evidence.every(isReceipt);

/** A summary of the receipts of one call. */
export const receiptSummarySchema = z.object({
  receipt_meta_count: z.number().int(),
  direct_event_ids: z.array(z.string()),
  receipt_only_event_ids: z.array(z.string()).describe('those that no saved chat has'),
  direct_token_total: tokensSchema,
  agent_job_references: z.array(z.string()),
  unresolved_receipts: z.number().int().describe('records without any id, which may count more than once'),
  warnings: z.array(warningSchema),
});

/** Sums up what one output carries. */
export const summariseReceipts = (output: OutputReceipts, home: string | undefined) => ({
  receipt_meta_count: output.receipts.length,
  direct_event_ids: output.events.map((event) => eventId(event, home)),
  receipt_only_event_ids: output.events.filter(isReceiptOnly).map((event) => eventId(event, home)),
  direct_token_total: sumOf(output.events),
  agent_job_references: [...new Set(output.references)].map((reference) => shortPath(reference, home)),
  unresolved_receipts: output.events.filter(({ unresolved }) => unresolved).length,
  warnings: output.warnings.map((warning): ReportWarning => toReportWarning(warning, home)),
});
