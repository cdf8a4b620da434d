import type { Reports } from '@colophon/analyst-tasks';
import { printAge } from '../print-age.js';
import { printIndex, printPlace } from '../report-address.js';
import { renderNotes } from '../report-notes.js';
import { addressee, outcome } from '../report-outcome.js';
import { countOf, inOneLine, type ReportPage, type ReportView } from '../report-page.js';
import { type Column, renderSection } from '../report-table.js';

type Report = Reports['chat_timeline'];
type Burst = Report['bursts'][number];
type Detail = Extract<Report, { mode: 'detail' }>['bursts'][number];

const lasted = ({ start, end }: Burst): string | undefined => {
  const seconds = start === undefined || end === undefined ? Number.NaN : (Date.parse(end) - Date.parse(start)) / 1000;
  return Number.isNaN(seconds) ? undefined : printAge(seconds);
};

const burstColumns: readonly Column<Burst>[] = [
  { head: 'BURST', cell: ({ id }) => id },
  { head: 'FROM', cell: ({ start }) => start },
  { head: 'LASTED', right: true, cell: lasted },
  {
    head: 'SEGMENTS',
    cell: ({ segments }) => (typeof segments === 'number' ? segments : segments.length),
  },
  { head: 'CALLS', cell: ({ calls }) => calls },
  { head: 'FAILED', cell: ({ failures }) => failures },
  { head: 'ASKED', cell: ({ delegations }) => delegations },
  {
    head: 'WORK',
    kind: 'text',
    cell: ({ groups }) =>
      Object.entries(groups)
        .map(([group, count]) => `${group} ${count}`)
        .join(', '),
  },
  {
    head: 'TURNS',
    kind: 'place',
    cell: (burst) => [...new Set(burst.breakpoint_signals.map((signal) => signal.type))].join(', '),
  },
];

const viewDetail = (burst: Detail, page: ReportPage): string =>
  renderSection(
    `burst ${burst.id}`,
    burst.segments.flatMap(({ id, timestamp, group, reasoning, calls }) => [
      { time: timestamp, mark: '', what: group, words: reasoning?.words, output: undefined, place: page.place(id) },
      ...calls.map((call) => ({
        time: undefined,
        mark: outcome(call.success),
        what: inOneLine(call.tool, addressee(call)),
        words: undefined,
        output: printIndex(call.output_address),
        place: printPlace(call.call_address, page),
      })),
    ]),
    [
      { head: 'TIME', cell: ({ time }) => time },
      { head: '', cell: ({ mark }) => mark },
      { head: 'WORK', kind: 'text', cell: ({ what }) => what },
      { head: 'REASONED WORDS', cell: ({ words }) => words },
      { head: 'OUTPUT', cell: ({ output }) => output },
      { head: 'ADDRESS', kind: 'place', cell: ({ place }) => place },
    ],
    page,
  );

/** When work was done: a line for each burst, and who was asked in it; or the segments and calls of some bursts. */
export const viewChatTimeline: ReportView<Report> = (report, page) => {
  const { root, summary } = report;
  return [
    `${root.kind} ${page.place(root.path)}`,
    renderSection('bursts of work', report.bursts as Burst[], burstColumns, page),
    ...(report.mode === 'detail'
      ? report.bursts.map((burst) => viewDetail(burst, page))
      : [
          renderSection(
            'delegations',
            report.delegations,
            [
              { head: 'BURST', cell: ({ burst }) => burst },
              { head: '', cell: ({ success }) => outcome(success) },
              { head: 'TOOL', kind: 'text', cell: ({ tool }) => tool },
              { head: 'AGENT', kind: 'text', cell: addressee },
              { head: 'CALL', kind: 'place', cell: (one) => printPlace(one.call_address, page) },
            ],
            page,
          ),
        ]),
    `${countOf(summary.bursts, 'burst')}, ${countOf(summary.segments, 'segment')}, ${countOf(summary.tool_events, 'call')} (${summary.failures} failed), ${countOf(summary.delegations, 'delegation')} in ${countOf(summary.chats, 'chat')}`,
    renderNotes(report.note, page),
  ];
};
