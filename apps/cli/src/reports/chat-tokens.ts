import type { Reports } from '@colophon/analyst-tasks';
import { printPlace } from '../report-address.js';
import { renderNotes, renderPaging } from '../report-notes.js';
import { inOneLine, type ReportPage, type ReportView } from '../report-page.js';
import { renderSection } from '../report-table.js';
import { tokenColumns } from '../report-tokens.js';
import { renderWarnings } from '../report-warnings.js';

type Report = Reports['chat_tokens'];
type Event = Report['events'][number];
type Row = { id: string | undefined; flags: string; tokens: Event['tokens'] | undefined; place: string | undefined };

/** An inference where its canonical evidence is, and below it the other places that have it. */
const rowsOf = (event: Event, page: ReportPage): Row[] => {
  const [first, ...others] = event.evidence.map((one) => printPlace(one.meta_address ?? one.evidence_address, page));
  const flags = inOneLine(
    event.conflict && 'conflict',
    event.incomplete_evidence && 'incomplete',
    event.deduplication === 'legacy_lineage' && 'legacy',
    event.deduplication === 'receipt_unresolved' && 'unresolved',
  );
  return [
    { id: event.inference_id ?? event.provider_response_id ?? '-', flags, tokens: event.tokens, place: first },
    ...others.map((place) => ({ id: undefined, flags: '', tokens: undefined, place })),
  ];
};

/** What each inference cost and where that is written, the one total last, then what it is made of. */
export const viewChatTokens: ReportView<Report> = (report, page) => {
  const rows = [
    ...report.events.flatMap((event) => rowsOf(event, page)),
    { id: 'total', flags: '', tokens: report.deduplicated_total, place: undefined },
  ];
  const scopes = [
    { scope: 'in chats', tokens: report.chat_evidence },
    { scope: 'in receipts', tokens: report.receipt_evidence },
    { scope: 'in receipts alone', tokens: report.receipt_only },
  ];
  return [
    renderSection(
      'inferences',
      rows,
      [
        { head: 'INFERENCE', kind: 'text', cell: ({ id }) => id },
        ...tokenColumns(rows, ({ tokens }) => tokens),
        { head: 'MARK', cell: ({ flags }) => flags },
        { head: 'WRITTEN AT', kind: 'place', cell: ({ place }) => place },
      ],
      page,
    ),
    renderPaging(report, page),
    renderSection(
      'of the total; these overlap',
      scopes,
      [{ head: 'PLACES', cell: ({ scope }) => scope }, ...tokenColumns(scopes, ({ tokens }) => tokens)],
      page,
    ),
    inOneLine(
      report.conflicts.length > 0 && `conflicts: ${report.conflicts.length}`,
      report.incomplete_evidence.length > 0 && `incomplete evidence: ${report.incomplete_evidence.length}`,
    ),
    renderWarnings(report.warnings, page),
    renderNotes(report.notes, page),
  ];
};
