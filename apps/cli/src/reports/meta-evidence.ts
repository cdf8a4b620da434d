import type { Reports } from '@colophon/analyst-tasks';
import { printAddress, printIndex } from '../report-address.js';
import { groupByChat } from '../report-groups.js';
import type { ReportView } from '../report-page.js';
import { renderSection } from '../report-table.js';
import { renderWarnings } from '../report-warnings.js';

type EvidenceRecord = Reports['meta_evidence']['records'][number];

const addressOf = (record: EvidenceRecord): string =>
  printAddress(record.meta_address ?? record.evidence_address ?? [record.source]);

const countOfField = (value: unknown): number | undefined =>
  value !== undefined && value !== '' && Number.isFinite(Number(value)) ? Number(value) : undefined;

/** Every record, chat by chat: where it stands there, what it is, what it names; how many there are of each, the total last. */
export const viewMetaEvidence: ReportView<Reports['meta_evidence']> = (report, page) => [
  ...groupByChat(report.records, addressOf).map(([chat, records]) =>
    renderSection(
      page.place(chat),
      records,
      [
        { head: '', cell: (record) => printIndex(addressOf(record)) },
        { head: 'ORIGIN', cell: ({ origin }) => origin },
        { head: 'IS', cell: ({ classification }) => classification },
        { head: 'TOTAL', cell: ({ meta }) => countOfField(meta['tt']) },
        { head: 'NAMES', kind: 'text', cell: (one) => one.inference_id ?? one.provider_response_id ?? one.job },
        { head: 'TOOL', kind: 'text', cell: (one) => one.tool_name ?? undefined },
        { head: 'WRONG', kind: 'place', cell: ({ warnings = [] }) => warnings.map(({ reason }) => reason).join(', ') },
      ],
      page,
    ),
  ),
  renderSection(
    'records of the session',
    [
      ...Object.entries(report.by_origin),
      ...Object.entries(report.by_classification),
      ['total', report.total] as const,
    ],
    [
      { head: 'RECORDS', cell: ([name]) => name },
      { head: 'COUNT', cell: ([, count]) => count },
    ],
    page,
  ),
  renderWarnings(report.warnings, page),
];
