import type { Reports } from '@colophon/analyst-tasks';
import type { ReportView } from '../report-page.js';
import { visibleLines } from '../visible-lines.js';

/** Whole messages, each under its address and role. */
export const viewMessageContent: ReportView<Reports['message_content']> = (messages, page) =>
  messages.length === 0
    ? ['no message has these addresses']
    : messages.map(
        ({ id, role, content }) => `${page.dim(`${page.place(id)}  ${visibleLines(role)}`)}\n${visibleLines(content)}`,
      );
