import type { Reports } from '@colophon/analyst-tasks';
import { printIndex, printPlace } from '../report-address.js';
import { renderPaging } from '../report-notes.js';
import { addressee, outcome } from '../report-outcome.js';
import { inOneLine, type ReportView } from '../report-page.js';
import { renderRows, renderSection } from '../report-table.js';

/** Each call with its address, then how often each tool was called, the total last. */
export const viewChatToolCalls: ReportView<Reports['chat_tool_calls']> = (report, page) => {
  const byTool = Object.entries(report.by_tool).sort(([, one], [, other]) => other - one);
  const all = byTool.reduce((sum, [, count]) => sum + count, 0);
  return [
    renderRows(
      report.calls,
      [
        { head: '', cell: ({ success }) => outcome(success) },
        { head: 'TOOL', kind: 'text', cell: ({ tool }) => tool },
        { head: 'WHY', cell: (one) => (one.success ? undefined : (one.error ?? one.status_reason)) },
        { head: 'AGENT', kind: 'text', cell: addressee },
        { head: 'RECEIPT', cell: (one) => one.agent_meta?.direct_token_total.tt },
        { head: 'ENDED', cell: ({ timestamp }) => timestamp },
        { head: 'OUTPUT', cell: (one) => printIndex(one.output_address) },
        { head: 'CALL', kind: 'place', cell: (one) => printPlace(one.call_address, page) },
        { head: 'COPY OF', kind: 'place', cell: (one) => printPlace(one.copy_of, page) },
      ],
      page,
    ),
    renderPaging(report, page),
    renderSection(
      'calls of the session',
      [...byTool, ['total', all] as const],
      [
        { head: 'TOOL', kind: 'text', cell: ([tool]) => tool },
        { head: 'CALLS', cell: ([, count]) => count },
      ],
      page,
    ),
    inOneLine(
      `${report.successes} succeeded`,
      `${report.failures} failed`,
      report.incomplete > 0 && `${report.incomplete} without an output`,
      `${report.unique_calls} different`,
      report.copies > 0 && `${report.copies} copies`,
    ),
  ];
};
