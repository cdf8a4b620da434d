import type { Reports } from '@colophon/analyst-tasks';
import { renderNotes } from '../report-notes.js';
import type { ReportView } from '../report-page.js';
import { renderSection } from '../report-table.js';

/** What a chat imports line by line, how often each chat is meant, and all that is imported below it, the root last. */
export const viewProvenanceRelationships: ReportView<Reports['provenance_relationships']> = (report, page) => [
  page.place(report.source),
  report.references.length === 0 ? 'imports nothing' : '',
  renderSection(
    'references',
    report.references,
    [
      { head: 'MESSAGE', cell: (one) => `#${one.message_index}` },
      { head: 'TYPE', cell: ({ type }) => type },
      { head: 'AS WRITTEN', kind: 'text', cell: ({ reference }) => reference },
      { head: '', cell: (one) => one.unresolved_reason },
      { head: 'LEADS TO', kind: 'place', cell: ({ target }) => target && page.place(target) },
    ],
    page,
  ),
  renderSection(
    'targets',
    report.targets,
    [
      { head: 'REFERENCES', cell: ({ references }) => references },
      { head: 'IMPORTED BY', cell: (one) => one.imported_by?.length },
      { head: '', cell: ({ resolved }) => (resolved ? undefined : 'not found') },
      { head: 'CHAT', kind: 'place', cell: ({ target }) => page.place(target) },
    ],
    page,
  ),
  renderSection(
    'import closure, in the order in which chats are needed',
    report.import_closure,
    [{ head: 'CHAT', kind: 'place', cell: (path) => page.place(path) }],
    page,
  ),
  renderNotes(report.note, page),
];
