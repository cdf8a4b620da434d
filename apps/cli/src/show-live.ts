import { padRight, shownPath, widest } from '@colophon/provenance';
import type { LiveWork } from './live-work.js';

const columns = [12, 40, 14, 18] as const;

/** Work in flight as lines in columns, under a head; nothing where there is none. */
export const renderLive = (work: readonly LiveWork[], home: string): string[] => {
  if (work.length === 0) return [];
  const rows = work.map(({ kind, reference, state, sources }) => [
    kind,
    shownPath(reference, home),
    shownPath(state, home),
    sources.join(','),
  ]);
  const widths = columns.map((least, column) =>
    widest(
      rows.map((row) => row[column]!),
      least,
    ),
  );
  return [
    '',
    'Live',
    '====',
    ...rows.map((row, index) => {
      const { log, info } = work[index]!;
      return [
        ' ',
        ...row.map((cell, column) => padRight(cell, widths[column]!)),
        ...(log === undefined ? [] : [`log=${shownPath(log, home)}`]),
        ...(info === undefined ? [] : [`info=${shownPath(info, home)}`]),
      ]
        .join(' ')
        .trimEnd();
    }),
  ];
};
