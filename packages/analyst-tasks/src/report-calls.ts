import type { ChatNode } from '@colophon/provenance';
import { z } from 'zod';
import { printAddress } from './address.js';
import type { CallFact } from './chat-extras.js';
import { isDelegationTool, targetAgent } from './delegations.js';
import { type OutputReceipts, receiptSummarySchema, receiptsOfCalls, summariseReceipts } from './receipts-of-calls.js';
import type { Session } from './session.js';

/** A call without the texts of its arguments and output. */
export const callSchema = z.object({
  tool: z.string(),
  call_id: z.string().nullable(),
  call_address: z.string(),
  output_address: z.string().nullable().describe('null where there is no readable output'),
  success: z.boolean().nullable().describe('null where nobody knows'),
  status_reason: z.string().describe('output, exit_status, exception, error or missing_output'),
  error: z.string().optional().describe('kind of failure, as the envelope tells it'),
  start_timestamp: z.string().optional(),
  timestamp: z.string().optional(),
  agent_interaction: z.boolean().describe('it speaks to an agent, or carries receipts'),
  target_agent: z.string().optional(),
  conversation: z.string().optional(),
  agent_meta: receiptSummarySchema.optional().describe('what its receipts say'),
  copy_of: z.string().optional().describe('address of the first persisted copy of this call'),
});

export type ReportCall = z.input<typeof callSchema>;

/** A call of the session, the chat that it stands in, and what its output carries. */
export type CallWithReceipts = { call: CallFact; path: string; carried: OutputReceipts | undefined };

/** The first calls of a session for which something holds, chat by chat in the order in which they were found. */
export const firstCalls = (
  { chats, extras }: Session,
  count: number,
  holds: (call: CallFact, chat: ChatNode) => boolean,
): { call: CallFact; path: string }[] => {
  const found: { call: CallFact; path: string }[] = [];
  for (const chat of chats)
    for (const call of extras(chat).calls) {
      if (found.length === count) return found;
      if (holds(call, chat)) found.push({ call, path: chat.path });
    }
  return found;
};

/** Every call of a session with its receipts, chat by chat in the order in which they were found. Linear. */
export const callsWithReceipts = (session: Session): CallWithReceipts[] => {
  const carried = receiptsOfCalls(session);
  const calls: CallWithReceipts[] = [];
  for (const chat of session.chats)
    for (const call of session.extras(chat).calls)
      calls.push({
        call,
        path: chat.path,
        carried: call.output === null ? undefined : carried(chat.path, call.output),
      });
  return calls;
};

const carriesReceipts = ({ carried }: CallWithReceipts): boolean =>
  carried !== undefined && (carried.receipts.length > 0 || carried.warnings.length > 0);

/** Whether a call is a delegation: by its tool, or by the receipts that it carries, whatever its tool. */
export const isInteraction = (one: CallWithReceipts): boolean =>
  isDelegationTool(one.call.tool) || carriesReceipts(one);

/** A call in the field names of the reports. */
export const toReportCall = (one: CallWithReceipts, { context: { home } }: Session): ReportCall => {
  const { call, path, carried } = one;
  const interaction = isInteraction(one);
  const agent = interaction ? targetAgent(call) : undefined;
  return {
    tool: call.tool,
    call_id: call.callId,
    call_address: printAddress(path, call.call, home),
    output_address: call.output === null ? null : printAddress(path, call.output, home),
    success: call.success,
    status_reason: call.reason,
    ...(call.error === undefined ? {} : { error: call.error }),
    ...(call.start === undefined ? {} : { start_timestamp: call.start }),
    ...(call.end === undefined ? {} : { timestamp: call.end }),
    agent_interaction: interaction,
    ...(agent === undefined ? {} : { target_agent: agent }),
    ...(interaction && call.conversation !== undefined ? { conversation: call.conversation } : {}),
    ...(carried && carriesReceipts(one) ? { agent_meta: summariseReceipts(carried, home) } : {}),
  };
};

/** What copies of one call share; undefined for a call without id, which nothing tells from another. */
export const callIdentity = ({ tool, callId, fingerprint }: CallFact): string | undefined =>
  callId === null ? undefined : `${fingerprint} ${tool.length} ${tool} ${callId}`;

/** Says of each call whether it is the first persisted copy. Most ids are of one call, which then needs no key. */
const firstCopies = () => {
  const byId = new Map<string, CallFact>();
  const others = new Set<string>();
  return (call: CallFact): boolean => {
    if (call.callId === null) return true;
    const first = byId.get(call.callId);
    if (first === undefined) byId.set(call.callId, call);
    if (first === undefined) return true;
    if (first.tool === call.tool && first.fingerprint === call.fingerprint) return false;
    const before = others.size;
    return others.add(callIdentity(call)!).size > before;
  };
};

/** Counts of all calls of a session. Linear. */
export const countCalls = ({ chats, extras }: Session) => {
  const byTool = new Map<string, number>();
  const counts = { total: 0, successes: 0, failures: 0, incomplete: 0 };
  const isFirst = firstCopies();
  let unique = 0;
  for (const chat of chats)
    for (const call of extras(chat).calls) {
      counts.total += 1;
      byTool.set(call.tool, (byTool.get(call.tool) ?? 0) + 1);
      if (isFirst(call)) unique += 1;
      if (call.success === null) counts.incomplete += 1;
      else if (call.success) counts.successes += 1;
      else counts.failures += 1;
    }
  return { ...counts, copies: counts.total - unique, by_tool: Object.fromEntries(byTool), unique_calls: unique };
};
