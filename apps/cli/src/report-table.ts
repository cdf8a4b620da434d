import { visibleText, widest } from '@colophon/provenance';
import type { ReportPage } from './report-page.js';
import { renderTable } from './table.js';

type Cell = string | number | undefined;

/**
 * A column of a report. Numbers stand to the right, as do other cells with `right`. `text` gives way where the terminal is narrow. `place` is an address that somebody
 * may want to copy: never cut; where the line is too short for it, it stands below its row.
 */
export type Column<Row> = { head: string; kind?: 'text' | 'place'; right?: true; cell: (row: Row) => Cell };

const gap = 2;
const narrowest = 10;

/** Rows that are laid out together: the library's time for a row grows with the rows of its table. */
const atOnce = 100;

/** Characters of a text beyond which nobody sees anything of it. */
const mostCharacters = 1000;

const toText = (cell: Cell): string =>
  typeof cell === 'number' ? cell.toLocaleString('en-US') : visibleText((cell ?? '').replace(/\s+/g, ' ').trim());

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

type Shown = { head: string; kind: 'text' | 'place' | undefined; right: boolean; cells: string[]; width: number };

const widthOf = (shown: readonly Shown[]): number =>
  sumOf(shown.map(({ width }) => width)) + gap * Math.max(0, shown.length - 1);

/** Takes columns from the widest texts until the row fits, or none can be narrower. */
const narrow = (shown: readonly Shown[], columns: number): Shown[] => {
  const texts = shown.filter(({ kind }) => kind === 'text').sort((one, other) => one.width - other.width);
  let left = columns - widthOf(shown.filter(({ kind }) => kind !== 'text')) - gap * texts.length;
  const widths = new Map<Shown, number>();
  for (const [index, column] of texts.entries()) {
    const width = Math.min(column.width, Math.max(narrowest, Math.floor(left / (texts.length - index))));
    widths.set(column, width);
    left -= width;
  }
  return shown.map((column) => ({ ...column, width: widths.get(column) ?? column.width }));
};

const indent = '    ';

/** Rows as a table under a head, columns without any value left out. Empty where there are no rows. */
export const renderRows = <Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { columns: width, dim }: ReportPage,
): string => {
  if (rows.length === 0) return '';
  const shown = columns
    .map(({ head, kind, right: asked, cell }): Shown => {
      const values = rows.map(cell);
      const cells = values.map((value) =>
        toText(kind === 'text' && typeof value === 'string' ? value.slice(0, mostCharacters) : value),
      );
      const right =
        asked === true || values.every((value) => typeof value === 'number' || ['', '?', undefined].includes(value));
      return { head, kind, right, cells, width: widest([head, ...cells], 0) };
    })
    .filter(({ cells }) => cells.some((cell) => cell !== ''));
  const least = sumOf(shown.map(({ kind, width: own }) => gap + (kind === 'text' ? Math.min(own, narrowest) : own)));
  const isBelow = ({ kind }: Shown): boolean => kind === 'place' && least - gap > width;
  const inLine = narrow(
    shown.filter((column) => !isBelow(column)),
    width,
  );
  const below = shown.filter(isBelow);
  const layout = {
    right: inLine.flatMap(({ right }, index) => (right ? [index] : [])),
    widths: inLine.map((column) => column.width),
    paint: dim,
  };
  const head = inLine.map((column) => column.head);
  const lines: string[] = [];
  for (let start = 0; start < rows.length; start += atOnce) {
    const part = rows.slice(start, start + atOnce).map((_, index) => inLine.map(({ cells }) => cells[start + index]!));
    lines.push(
      ...renderTable(head, part, layout)
        .split('\n')
        .slice(start === 0 ? 0 : 1),
    );
  }
  if (below.length === 0) return lines.join('\n');
  const placesOf = (index: number): string[] =>
    below.flatMap(({ head, cells }) =>
      cells[index] === '' ? [] : [`${indent}${below.length > 1 ? `${dim(head.toLowerCase())} ` : ''}${cells[index]}`],
    );
  return lines
    .flatMap((line, index) => [...(line === '' ? [] : [line]), ...(index === 0 ? [] : placesOf(index - 1))])
    .join('\n');
};

/** A table under its title; empty where there are no rows. */
export const renderSection = <Row>(
  title: string,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  page: ReportPage,
): string => (rows.length === 0 ? '' : `${title}\n${renderRows(rows, columns, page)}`);
