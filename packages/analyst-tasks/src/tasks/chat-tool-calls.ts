import { z } from 'zod';
import { realPath } from '../address.js';
import { pageInputs, pageOutputs, takePage } from '../pages.js';
import {
  callIdentity,
  callSchema,
  callsWithReceipts,
  countCalls,
  type ReportCall,
  toReportCall,
} from '../report-calls.js';
import { defineTask } from '../task.js';

const filters = {
  tool: z.string().optional().describe('exact name of the tool'),
  agent: z.string().optional().describe('exact target agent'),
  conversation: z.string().optional().describe('exact conversation'),
  chat: z.string().optional().describe('path of the chat, as addresses have it'),
  success: z.boolean().optional().describe('only calls that succeeded, or that failed'),
};

/** Every tool call of a session without its texts. */
export const chatToolCalls = defineTask({
  name: 'chat_tool_calls',
  description:
    'The tool calls of every chat of the session, each with addresses for `message_content`, how it ended, and for delegations the agent and what the receipts say. A session holds several copies of one call; with `dedupe` later ones name the first in `copy_of`. Counts describe the whole session; filters (exact, a call without the field never matches) and pages narrow the list alone.',
  root: 'session',
  input: z.object({
    dedupe: z.boolean().optional().describe('mark later copies of a call'),
    ...filters,
    ...pageInputs,
  }),
  output: z.object({
    calls: z.array(callSchema),
    ...pageOutputs,
    total: z.number().int().describe('calls of the session, copies among them'),
    successes: z.number().int(),
    failures: z.number().int(),
    incomplete: z.number().int().describe('calls without a readable output'),
    by_tool: z.record(z.string(), z.number().int()),
    copies: z.number().int(),
    unique_calls: z.number().int(),
  }),
  run: async (session, { dedupe, page, per_page, tool, agent, conversation, chat, success }) => {
    const all = callsWithReceipts(session);
    const firsts = new Map<string, string>();
    const listed = all.map((one): ReportCall => {
      const shown = toReportCall(one, session);
      const identity = dedupe ? callIdentity(one.call) : undefined;
      if (identity === undefined) return shown;
      const first = firsts.get(identity);
      if (first !== undefined) return { ...shown, copy_of: first };
      firsts.set(identity, shown.call_address);
      return shown;
    });
    const path = chat === undefined ? undefined : await realPath(chat, session.context);
    const chosen = listed.filter(
      (call, index) =>
        (tool === undefined || call.tool === tool) &&
        (agent === undefined || call.target_agent === agent) &&
        (conversation === undefined || call.conversation === conversation) &&
        (path === undefined || all[index]!.path === path) &&
        (success === undefined || call.success === success),
    );
    const { items, facts } = takePage(chosen, { page, per_page });
    return { calls: [...items], ...facts, ...countCalls(session) };
  },
});
