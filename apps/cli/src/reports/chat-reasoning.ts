import type { Reports } from '@colophon/analyst-tasks';
import { countOf, inOneLine, type ReportView } from '../report-page.js';
import { renderRows } from '../report-table.js';
import { visibleLines } from '../visible-lines.js';

/** How each reasoning begins and where it stands; whole where it was asked for. */
export const viewChatReasoning: ReportView<Reports['chat_reasoning']> = (report, page) => [
  renderRows(
    report.items.filter(({ reasoning }) => reasoning === undefined),
    [
      { head: 'TIME', cell: ({ timestamp }) => timestamp },
      { head: 'CHARACTERS', cell: ({ characters }) => characters },
      { head: '', cell: (one) => (one.receipt_only ? 'receipt alone' : undefined) },
      { head: 'REASONING', kind: 'text', cell: ({ prefix }) => prefix },
      { head: 'ADDRESS', kind: 'place', cell: ({ address }) => page.place(address) },
    ],
    page,
  ),
  ...report.items
    .filter(({ reasoning }) => reasoning !== undefined)
    .map(({ address, reasoning = '' }) => `${page.dim(page.place(address))}\n${visibleLines(reasoning)}`),
  inOneLine(
    countOf(report.total, 'text'),
    ...Object.entries(report.by_origin).map(([origin, count]) => `${count} in ${origin}`),
    report.receipt_only > 0 && `${report.receipt_only} in receipts alone`,
  ),
];
