import type { Reports } from '@colophon/analyst-tasks';
import { printPlace } from './report-address.js';
import type { ReportPage } from './report-page.js';
import { wrap } from './two-columns.js';
import { visibleLines } from './visible-lines.js';

type Warning = Reports['chat_report']['warnings'][number];

const indent = 4;

/** What is wrong with the evidence: what and where in one line, the sentence below it. */
export const renderWarnings = (warnings: readonly Warning[], page: ReportPage): string => {
  if (warnings.length === 0) return '';
  const lines = warnings.flatMap(({ reason, message, reference, path, output_address, evidence_address }) => {
    const place = printPlace(evidence_address ?? output_address ?? path, page) ?? '';
    const said = visibleLines((message ?? reference ?? '').replace(`${reason}: `, ''));
    return [
      `${visibleLines(reason)}  ${place}`,
      ...(said === '' ? [] : wrap(said, page.columns - indent)).map((line) => page.dim(' '.repeat(indent) + line)),
    ];
  });
  return [`warnings (${warnings.length})`, ...lines].join('\n');
};
