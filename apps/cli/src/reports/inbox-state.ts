import type { Reports } from '@colophon/analyst-tasks';
import { countOf, type ReportView } from '../report-page.js';
import { renderRows } from '../report-table.js';

/** The notes that wait for a chat, then those that it got. */
export const viewInboxState: ReportView<Reports['inbox_state']> = (report, page) => [
  renderRows(
    (['pending', 'delivered'] as const).flatMap((state) => report[state].map((note) => ({ state, ...note }))),
    [
      { head: 'STATE', cell: ({ state }) => state },
      { head: 'SINCE', cell: ({ mtime }) => mtime },
      { head: 'BYTES', cell: ({ size }) => size },
      { head: 'NOTE', cell: ({ name }) => name },
      { head: 'TEXT', kind: 'text', cell: ({ content, problem }) => problem ?? content },
    ],
    page,
  ),
  `${countOf(report.pending.length, 'note')} waiting, ${report.delivered.length} delivered`,
];
