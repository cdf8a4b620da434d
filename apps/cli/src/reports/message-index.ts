import type { Reports } from '@colophon/analyst-tasks';
import { printIndex } from '../report-address.js';
import { groupByChat } from '../report-groups.js';
import { renderPaging } from '../report-notes.js';
import { countOf, type ReportView } from '../report-page.js';
import { renderSection } from '../report-table.js';

/** Every message, chat by chat: its number there, its role, its size, how it begins. */
export const viewMessageIndex: ReportView<Reports['message_index']> = (report, page) => {
  const paging = Array.isArray(report) ? {} : report;
  const messages = Array.isArray(report) ? report : report.messages;
  const characters = messages.reduce((sum, message) => sum + message.characters, 0);
  return [
    ...groupByChat(messages, ({ address }) => address).map(([chat, group]) =>
      renderSection(
        page.place(chat),
        group,
        [
          { head: '', right: true, cell: ({ address }) => printIndex(address) },
          { head: 'ROLE', cell: ({ role }) => role },
          { head: 'CHARACTERS', cell: (one) => one.characters },
          { head: '', cell: ({ large }) => (large ? 'large' : undefined) },
          { head: 'TEXT', kind: 'text', cell: ({ fingerprint }) => fingerprint },
        ],
        page,
      ),
    ),
    renderPaging(paging, page),
    `${countOf(messages.length, 'message')}, ${countOf(characters, 'character')}`,
  ];
};
