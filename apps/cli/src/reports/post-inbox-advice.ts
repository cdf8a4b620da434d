import type { Reports } from '@colophon/analyst-tasks';
import { renderNotes } from '../report-notes.js';
import { countOf, type ReportView } from '../report-page.js';

/** Where the note is, and when it will be read. */
export const viewPostInboxAdvice: ReportView<Reports['post_inbox_advice']> = (report, page) => [
  `${page.place(report.posted)}  ${countOf(report.size, 'byte')}`,
  renderNotes(report.note, page),
];
