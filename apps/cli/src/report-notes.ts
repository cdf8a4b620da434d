import type { ReportPage } from './report-page.js';
import { wrap } from './two-columns.js';

/** Notes on how to read a report, a paragraph each. */
export const renderNotes = (notes: string | readonly string[], { columns, dim }: ReportPage): string =>
  [notes]
    .flat()
    .flatMap((note) => wrap(note, columns))
    .map((line) => dim(line))
    .join('\n');

/** Which page of a list this is; empty where all of it is there. */
export const renderPaging = (
  { page, total_pages: pages }: { page?: number | undefined; total_pages?: number | undefined },
  { dim }: ReportPage,
): string => (page === undefined ? '' : dim(`page ${page} of ${pages}`));
