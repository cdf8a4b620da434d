import type { Reports } from '@colophon/analyst-tasks';
import { printAge } from '../print-age.js';
import { countOf, type ReportView } from '../report-page.js';
import { renderRows } from '../report-table.js';

/** The chats of a session, the one that is most likely being written first. */
export const viewLiveChats: ReportView<Reports['live_chats']> = (report, page) => [
  renderRows(
    report.chats,
    [
      { head: '', cell: (one) => (one.likely_active ? '→' : undefined) },
      { head: 'AGE', right: true, cell: ({ age }) => printAge(age) },
      { head: 'BYTES', cell: ({ size }) => size },
      { head: 'FOUND BY', cell: ({ source }) => source },
      { head: 'CHAT', kind: 'place', cell: ({ path }) => page.place(path) },
      { head: 'NAMED IN', kind: 'place', cell: (one) => one.jobs_file && page.place(one.jobs_file) },
    ],
    page,
  ),
  countOf(report.total, 'chat') + (report.job ? `; the job is ${report.job.status}` : ''),
];
