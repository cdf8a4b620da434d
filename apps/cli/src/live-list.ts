import { type Reports, runTask, tasks } from '@colophon/analyst-tasks';
import { inboxPaths } from '@colophon/prompt-strategies';
import { analystContext } from './analyst-run.js';
import type { MachineContext } from './context.js';
import { type LiveWork, liveWork } from './live-work.js';
import { printAge } from './print-age.js';
import { countOf, inOneLine, type ReportPage } from './report-page.js';
import { renderRows, renderSection } from './report-table.js';

/** Notes beside a chat: those that wait, and those that the model got. */
type Notes = { waiting: number; consumed: number };
type LiveChat = Reports['live_chats']['chats'][number] & { inbox: Notes };

/** The chats of a session with their notes, the newest first, and what goes on around them. */
export type LiveList = Omit<Reports['live_chats'], 'chats'> & { chats: LiveChat[]; work: LiveWork[] };

const wholePath = (path: string, home: string): string => (path.startsWith('~/') ? `${home}${path.slice(1)}` : path);

/** Reads what a session's chats, inboxes and `.jobs` files say now. */
export const readLiveList = async (file: string, machine: MachineContext): Promise<LiveList> => {
  const context = analystContext(machine);
  const report = await runTask<Reports['live_chats']>('live_chats', { file }, context, tasks);
  const paths = report.chats.map(({ path }) => wholePath(path, context.home ?? machine.home));
  const notesIn = async (folder: string): Promise<number> =>
    (await context.files.list(folder)).filter(({ name, kind }) => kind === 'file' && !name.startsWith('.')).length;
  const chats = await Promise.all(
    report.chats.map(async (chat, index): Promise<LiveChat> => {
      const { inbox, removed } = inboxPaths(paths[index]!);
      return { ...chat, inbox: { waiting: await notesIn(inbox), consumed: await notesIn(removed) } };
    }),
  );
  const work = await liveWork(paths, new Set(), context.reader, machine);
  return { ...report, chats, work: work.filter(({ kind }) => kind !== 'inbox') };
};

/** The same for people. */
export const renderLiveList = ({ chats, work, job }: LiveList, page: ReportPage): string =>
  [
    renderRows(
      chats,
      [
        { head: '', cell: (one) => (one.likely_active ? '→' : undefined) },
        { head: 'AGE', right: true, cell: ({ age }) => printAge(age) },
        { head: 'BYTES', cell: ({ size }) => size },
        { head: 'WAITING', cell: ({ inbox }) => inbox.waiting || undefined },
        { head: 'CONSUMED', cell: ({ inbox }) => inbox.consumed || undefined },
        { head: 'FOUND BY', cell: ({ source }) => source },
        { head: 'CHAT', kind: 'place', cell: ({ path }) => page.place(path) },
      ],
      page,
    ),
    renderSection(
      'in flight',
      work,
      [
        { head: 'WHAT', cell: ({ kind }) => kind },
        { head: 'STATE', kind: 'text', cell: ({ state }) => state },
        { head: 'TOLD BY', cell: ({ sources }) => sources.join(', ') },
        { head: 'WHICH', kind: 'place', cell: ({ reference }) => page.place(reference) },
        { head: 'LOG', kind: 'place', cell: ({ log }) => log && page.place(log) },
      ],
      page,
    ),
    inOneLine(
      countOf(chats.length, 'chat'),
      `${work.length} in flight`,
      `${countOf(
        chats.reduce((sum, { inbox }) => sum + inbox.waiting, 0),
        'note',
      )} waiting`,
      job && `the job is ${job.running ? 'running' : job.status}`,
    ),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
