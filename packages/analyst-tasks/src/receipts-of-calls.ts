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

/** What the output of a message carries; undefined where it carries nothing. */
export type ReceiptsAt = (path: string, output: number) => OutputReceipts | undefined;

/** What hangs at places of chats: of all that is put at one place the first stays. */
export const createPlaces = <Value>() => {
  const chats = new Map<string, Map<number, Value>>();
  return {
    get: (path: string, message: number): Value | undefined => chats.get(path)?.get(message),
    put: (path: string, message: number, make: () => Value): Value => {
      let chat = chats.get(path);
      if (!chat) {
        chat = new Map();
        chats.set(path, chat);
      }
      let value = chat.get(message);
      if (value === undefined) {
        value = make();
        chat.set(message, value);
      }
      return value;
    },
  };
};

const nothing = (): OutputReceipts => ({ receipts: [], events: [], edges: [], references: [], warnings: [] });

const isReceipt = (evidence: Evidence): boolean => evidence.origin === 'agent_meta';

/**
 * What the outputs of a session carry; with `only`, those of some calls alone. One pass over receipts, events, edges and warnings.
 */
export const receiptsOfCalls = (
  session: Session,
  only?: readonly { path: string; call: { output: number | null } }[],
): ReceiptsAt => {
  const outputs = createPlaces<OutputReceipts>();
  for (const { path, call } of only ?? []) if (call.output !== null) outputs.put(path, call.output, nothing);
  // What nobody wants is put nowhere.
  const at = only
    ? (path: string, output: number) => outputs.get(path, output)
    : (path: string, output: number) => outputs.put(path, output, nothing);
  for (const { path, facts } of session.chats)
    for (const receipt of facts.receipts) {
      const output = at(path, receipt.index);
      if (!output) continue;
      output.receipts.push(receipt);
      const { job } = receipt.meta;
      if (job !== undefined && job !== '') output.references.push(String(job));
    }
  for (const event of session.events) {
    // All places of an event come in a row: it is there already where it is the last one.
    for (const { origin, source, address } of event.evidence) {
      if (origin !== 'agent_meta') continue;
      const events = at(source, address[1])?.events;
      if (events && events.at(-1) !== event) events.push(event);
    }
  }
  for (const edge of session.graph.edges) if (edge.detail) at(...edge.detail.outputAddress)?.edges.push(edge);
  for (const warning of session.warnings)
    if (warning.outputAddress) at(...warning.outputAddress)?.warnings.push(warning);
  return outputs.get;
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
