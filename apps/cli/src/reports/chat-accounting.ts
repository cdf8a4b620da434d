import type { Reports } from '@colophon/analyst-tasks';
import { renderNotes } from '../report-notes.js';
import { inOneLine, type ReportPage, type ReportView } from '../report-page.js';
import { renderRows, renderSection } from '../report-table.js';
import { tokenColumns } from '../report-tokens.js';
import { renderWarnings } from '../report-warnings.js';

type Entry = Reports['chat_accounting']['entries'][number];
type Own = Extract<Entry, { scope: 'own' }>;
type Closure = Extract<Entry, { scope: 'closure' }>;

const viewOwn = (entries: readonly Own[], page: ReportPage): string[] => [
  renderRows(
    entries,
    [
      { head: 'MESSAGES', cell: ({ messages }) => messages },
      { head: 'CALLS', cell: (one) => one.tool_calls },
      { head: 'JOBS', cell: (one) => one.direct_jobs },
      { head: 'OWN', cell: (one) => one.direct_tokens.tt },
      { head: 'DELEGATED', cell: (one) => one.delegated_tokens.tt },
      { head: 'TOTAL', cell: ({ tokens }) => tokens.tt },
      { head: 'CACHED', cell: ({ tokens }) => tokens.cct || undefined },
      { head: 'INFERENCES', cell: (one) => one.token_events },
      { head: 'CHAT', kind: 'place', cell: ({ chat }) => page.place(chat) },
    ],
    page,
  ),
  renderSection(
    'imports',
    entries.flatMap(({ chat, imports, unresolved_imports: lost = [] }) => [
      ...imports.map((target) => ({ chat, target, found: true })),
      ...lost.map((target) => ({ chat, target, found: false })),
    ]),
    [
      { head: '', cell: ({ found }) => (found ? undefined : 'not found') },
      { head: 'CHAT', kind: 'place', cell: ({ chat }) => page.place(chat) },
      { head: 'IMPORTS', kind: 'place', cell: ({ target }) => page.place(target) },
    ],
    page,
  ),
  renderSection(
    'delegated to',
    entries.flatMap(({ chat, delegated_subtrees: jobs }) => jobs.map((job) => ({ chat, job }))),
    [
      { head: 'CHAT', kind: 'place', cell: ({ chat }) => page.place(chat) },
      { head: 'JOB', kind: 'place', cell: ({ job }) => page.place(job) },
    ],
    page,
  ),
  ...entries.map(({ warnings }) => renderWarnings(warnings, page)),
];

const viewClosure = (entry: Closure, page: ReportPage): string[] => {
  const rows = [
    ...Object.entries(entry.token_events_per_chat).map(([chat, events]) => ({
      chat: page.place(chat),
      events,
      tokens: undefined,
    })),
    { chat: 'each inference once', events: entry.token_events, tokens: entry.tokens },
  ];
  return [
    renderRows(
      rows,
      [
        { head: 'INFERENCES', cell: ({ events }) => events },
        ...tokenColumns(rows, ({ tokens }) => tokens),
        { head: 'CHAT', kind: 'place', cell: ({ chat }) => chat },
      ],
      page,
    ),
  ];
};

/** What each chat of an import closure cost, the root last; nothing is summed that overlaps. */
export const viewChatAccounting: ReportView<Reports['chat_accounting']> = (report, page) => {
  const own = report.entries.filter((entry) => entry.scope === 'own');
  const closures = report.entries.filter((entry) => entry.scope === 'closure');
  return [
    ...(own.length > 0 ? viewOwn(own, page) : []),
    ...closures.flatMap((entry) => viewClosure(entry, page)),
    inOneLine(
      ...(['conflicts', 'incomplete_evidence'] as const).map((name) => {
        const count = report.entries.at(-1)?.[name] ?? 0;
        return count > 0 && `${name.replace('_', ' ')}: ${count}`;
      }),
    ),
    renderNotes(report.note, page),
  ];
};
