import type { TableLayout } from './table-layout.js';

/** Takes an association; the values are those of the layout's fields, in their order. */
export type TakeAssociation = (source: string, target: string, values: readonly string[]) => void;

type Cells = readonly string[];

// The first column is one value always: it is what a row is about.
const valuesAt = (cells: Cells, index: number): string[] => {
  const cell = cells[index] ?? '';
  return index > 0 ? cell.split('|') : [cell];
};

const raggedProblem = (cells: Cells, columns: number): string | undefined =>
  cells.length < columns || (cells.length > columns && cells.slice(columns).some((cell) => cell !== ''))
    ? `${cells.length} cells, where the head has ${columns}`
    : undefined;

const takeTargets = (cells: Cells, { source: column }: TableLayout, take: TakeAssociation): string | undefined => {
  const source = cells[column] ?? '';
  if (source === '') return 'no source';
  for (const index of cells.keys())
    if (index !== column) for (const target of valuesAt(cells, index)) if (target !== '') take(source, target, []);
  return undefined;
};

const takeOne = (cells: Cells, layout: TableLayout, target: number, take: TakeAssociation): string | undefined => {
  const [from = '', to = ''] = [cells[layout.source], cells[target]];
  if (from === '') return 'no source';
  if (to === '') return 'no target';
  const values: string[] = [];
  for (const index of layout.fields) values.push(cells[index] ?? '');
  take(from, to, values);
  return raggedProblem(cells, layout.columns.length);
};

const at = (values: Cells, index: number): string => values[values.length === 1 ? 0 : index] ?? '';

const takeSeveral = (cells: Cells, layout: TableLayout, target: number, take: TakeAssociation): string | undefined => {
  const sources = valuesAt(cells, layout.source);
  const targets = valuesAt(cells, target);
  if (sources.every((source) => source === '')) return 'no source';
  if (targets.every((some) => some === '')) return 'no target';
  const few = Math.min(sources.length, targets.length);
  const many = Math.max(sources.length, targets.length);
  const count = few === 1 ? many : few;
  const fields = layout.fields.map((index) => valuesAt(cells, index));
  const fits = ({ length }: Cells): boolean => length === 1 || length === count;
  const ready = fields.map((field) => (fits(field) ? field : [field.join(';')]));
  for (let index = 0; index < count; index += 1) {
    const [from, to] = [at(sources, index), at(targets, index)];
    const values = ready.map((field) => at(field, index));
    if (from !== '' && to !== '') take(from, to, values);
  }
  if (few !== 1 && few !== many)
    return `${sources.length} sources and ${targets.length} targets: they go together in order, what is left over is left out`;
  const odd = count > 1 ? fields.findIndex((field) => !fits(field)) : -1;
  if (odd >= 0)
    return `${fields[odd]!.length} values of ${layout.columns[layout.fields[odd]!]} for ${count} associations: each gets all of them`;
  return raggedProblem(cells, layout.columns.length);
};

/**
 * Reads one row. In a `double` table a cell behind the first column holds values with `|` between them: each target is an
 * association of its own, the values of a field go to the targets in order, a single one to all. A `flat` row is a source and
 * its targets, whatever their number. Returns what is wrong with the row, where something is; what can be read of it is.
 */
export const eachAssociation = (row: string, layout: TableLayout, take: TakeAssociation): string | undefined => {
  const cells = row.split(layout.sep);
  const { target, split } = layout;
  if (target === undefined) return takeTargets(cells, layout, take);
  return split && row.includes('|') ? takeSeveral(cells, layout, target, take) : takeOne(cells, layout, target, take);
};
