import type { Reports } from '@colophon/analyst-tasks';
import { printPlace } from '../report-address.js';
import { renderNotes } from '../report-notes.js';
import { countOf, inOneLine, type ReportView } from '../report-page.js';
import { renderRows, renderSection } from '../report-table.js';
import { tokenColumns } from '../report-tokens.js';
import { renderWarnings } from '../report-warnings.js';

type Report = Reports['chat_report'];

/** The parts that add up to the total, the total last. */
const partsOf = ({ tokens, delegation }: Report) => [
  { part: "root's own chats", tokens: delegation.root_chat_tokens, events: delegation.root_chat_events },
  { part: 'delegated', tokens: delegation.delegated_tokens, events: delegation.delegated_events },
  {
    part: 'unattributed',
    tokens: delegation.unattributed_tokens,
    events: tokens.direct_events - delegation.root_chat_events - delegation.delegated_events,
  },
  { part: 'total', tokens: tokens.deduplicated_total, events: tokens.direct_events },
];

/** A session on one screen: its cost in parts that add up, what failed, what was delegated, what is wrong. */
export const viewChatReport: ReportView<Report> = (report, page) => {
  const { root, tokens, delegation } = report;
  const parts = partsOf(report);
  const only = tokens.receipt_only.tt;
  return [
    [
      `${root.kind} ${page.place(root.path)}`,
      inOneLine(
        countOf(report.chats, 'chat'),
        countOf(report.jobs, 'job') + (report.missing_jobs > 0 ? ` (${report.missing_jobs} missing)` : ''),
        countOf(report.edges, 'edge') + (report.agent_job_edges > 0 ? ` (${report.agent_job_edges} by receipts)` : ''),
      ),
      inOneLine(
        `${countOf(report.tool_calls, 'tool call')} (${report.unique_tool_calls} different)`,
        `${report.failed_tool_calls} failed`,
      ),
    ].join('\n'),
    renderRows(
      parts,
      [
        { head: 'COST', cell: ({ part }) => part },
        ...tokenColumns(parts, (row) => row.tokens),
        { head: 'INFERENCES', cell: ({ events }) => events },
      ],
      page,
    ),
    inOneLine(
      only > 0 && `${only.toLocaleString('en-US')} of the tokens are in receipts alone`,
      tokens.multi_evidence_events > 0 && `${countOf(tokens.multi_evidence_events, 'inference')} saved more than once`,
      tokens.conflicts > 0 && countOf(tokens.conflicts, 'conflict'),
      tokens.incomplete_evidence > 0 && `${countOf(tokens.incomplete_evidence, 'inference')} with incomplete evidence`,
    ),
    renderSection(
      `jobs that receipts lead to (${delegation.linked_jobs}); they may overlap`,
      delegation.subtrees,
      [
        { head: 'TOKENS', cell: (one) => one.tokens.tt },
        { head: 'INFERENCES', cell: ({ events }) => events },
        { head: 'CHATS', cell: ({ chats }) => chats },
        { head: 'JOB', kind: 'place', cell: ({ job }) => page.place(job) },
      ],
      page,
    ),
    renderSection(
      'jobs that nobody found',
      delegation.unresolved_jobs,
      [{ head: 'JOB', kind: 'place', cell: (job) => page.place(job) }],
      page,
    ),
    renderSection(
      'first receipts',
      report.receipt_summaries,
      [
        { head: 'TOOL', kind: 'text', cell: ({ tool }) => tool },
        { head: 'TOKENS', cell: (one) => one.direct_token_total.tt },
        { head: 'INFERENCES', cell: (one) => one.direct_event_ids.length },
        { head: 'OUTPUT', kind: 'place', cell: (one) => printPlace(one.output_address, page) },
      ],
      page,
    ),
    renderSection(
      'first failures',
      report.failures,
      [
        { head: 'TOOL', kind: 'text', cell: ({ tool }) => tool },
        { head: 'WHY', cell: (one) => one.status_reason },
        { head: 'CALL', kind: 'place', cell: (one) => printPlace(one.call_address, page) },
      ],
      page,
    ),
    renderWarnings(report.warnings, page),
    renderNotes(report.notes, page),
  ];
};
