import type { Reports } from '@colophon/analyst-tasks';
import type { ReportView } from '../report-page.js';
import { visibleLines } from '../visible-lines.js';

/** Chat text as it is. */
export const viewExtractChatRange: ReportView<Reports['extract_chat_range']> = (text) => [visibleLines(text)];
