import type { Reports } from '@colophon/analyst-tasks';
import { printPlace } from '../report-address.js';
import { renderNotes, renderPaging } from '../report-notes.js';
import { addressee, outcome } from '../report-outcome.js';
import { countOf, type ReportView } from '../report-page.js';
import { renderRows } from '../report-table.js';
import { renderWarnings } from '../report-warnings.js';

/** Who was asked, how it ended, what it cost, and where the proof is. */
export const viewChatAgents: ReportView<Reports['chat_agents']> = (report, page) => {
  const { interactions } = report;
  return [
    interactions.length === 0 ? 'nobody was asked' : '',
    renderRows(
      interactions,
      [
        { head: '', cell: ({ success }) => outcome(success) },
        { head: 'TOOL', kind: 'text', cell: ({ tool }) => tool },
        { head: 'AGENT', kind: 'text', cell: addressee },
        { head: 'EVIDENCE', cell: (one) => one.child_evidence },
        { head: 'RECEIPT', cell: ({ receipt }) => receipt.token_total.tt },
        { head: 'DELEGATED', cell: (one) => one.delegated_token_total.tt },
        { head: 'INFERENCES', cell: (one) => one.delegated_event_count },
        { head: 'CALL', kind: 'text', cell: (one) => one.call_id ?? undefined },
        { head: 'CHAT', kind: 'place', cell: ({ source }) => page.place(source) },
        { head: 'JOB', kind: 'place', cell: (one) => printPlace(one.linked_job, page) },
        {
          head: 'BY',
          kind: 'place',
          cell: (one) => printPlace(one.agent_job_edges[0]?.detail?.evidence_address, page),
        },
      ],
      page,
    ),
    renderPaging(report, page),
    `${countOf(report.total ?? interactions.length, 'delegation')}, ${report.failed} failed`,
    renderWarnings(report.warnings, page),
    renderNotes(report.note, page),
  ];
};
