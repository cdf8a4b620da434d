import type { Reports } from '@colophon/analyst-tasks';
import { printPlace } from '../report-address.js';
import { inOneLine, type ReportView } from '../report-page.js';
import { renderSection } from '../report-table.js';
import { renderWarnings } from '../report-warnings.js';

const relations = ['job', 'agent_job', 'dependency', 'log', 'result'] as const;

/** Every chat and job, and what leads from one to the other. */
export const viewChatOverview: ReportView<Reports['chat_overview']> = (report, page) => {
  const { root, chats, jobs, edges, totals } = report;
  return [
    `${root.kind} ${page.place(root.path)}`,
    renderSection(
      'chats',
      [...chats, { ...totals, path: undefined, direct_jobs: undefined }],
      [
        { head: '', cell: ({ path }) => (path === undefined ? 'total' : undefined) },
        { head: 'MESSAGES', cell: ({ messages }) => messages },
        { head: 'CALLS', cell: (one) => one.tool_calls },
        { head: 'JOBS', cell: (one) => one.direct_jobs?.length },
        { head: 'RECEIPTS', cell: (one) => one.receipt_records },
        { head: 'CHAT', kind: 'place', cell: ({ path }) => path && page.place(path) },
      ],
      page,
    ),
    renderSection(
      'jobs',
      jobs,
      [
        { head: 'STATUS', cell: ({ status, missing }) => (missing ? 'missing' : status) },
        { head: 'TASK', kind: 'text', cell: ({ workflow, task }) => [workflow, task].filter(Boolean).join('/') },
        { head: 'DEPENDENCIES', cell: ({ dependencies }) => dependencies },
        { head: 'LOGS', cell: (one) => one.direct_logs },
        { head: 'JOB', kind: 'place', cell: ({ path }) => page.place(path) },
      ],
      page,
    ),
    renderSection(
      'edges',
      edges,
      [
        { head: 'RELATION', cell: ({ relation }) => relation },
        { head: 'TOOL', kind: 'text', cell: ({ detail }) => detail?.tool_name ?? undefined },
        { head: 'FROM', kind: 'place', cell: ({ from }) => page.place(from) },
        { head: 'TO', kind: 'place', cell: ({ to }) => page.place(to) },
        { head: 'BY', kind: 'place', cell: ({ detail }) => printPlace(detail?.evidence_address, page) },
      ],
      page,
    ),
    [
      `edges: ${relations.map((relation) => `${totals[`${relation}_edges`]} ${relation}`).join(', ')}`,
      inOneLine(
        totals.missing_jobs > 0 && `jobs missing: ${totals.missing_jobs}`,
        totals.receipt_only_events > 0 && `inferences in receipts alone: ${totals.receipt_only_events}`,
        totals.conflicts > 0 && `conflicts: ${totals.conflicts}`,
        totals.incomplete_evidence > 0 && `incomplete evidence: ${totals.incomplete_evidence}`,
      ),
    ]
      .filter((line) => line !== '')
      .join('\n'),
    renderWarnings(report.warnings, page),
  ];
};
