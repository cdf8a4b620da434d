import type { TableLayout } from './table-layout.js';

/** Takes an association; the values are those of the layout's fields, in their order. */
export type TakeAssociation = (source: string, target: string, values: readonly string[]) => void;

const raggedProblem = (cells: readonly string[], columns: number): string | undefined =>
  cells.length < columns || cells.slice(columns).some((cell) => cell !== '')
    ? `${cells.length} cells, where the head has ${columns}`
    : undefined;

/**
 * Reads one row. In a `double` table a cell behind the first column holds values with `|` between them: each target is an
 * association of its own, the values of a field go to the targets in order, a single one to all. A `flat` row is a source and
 * its targets, whatever their number. Returns what is wrong with the row, where something is; what can be read of it is.
 */
export const eachAssociation = (row: string, layout: TableLayout, take: TakeAssociation): string | undefined => {
  const cells = row.split(layout.sep);
  const valuesAt = (index: number): string[] => {
    const cell = cells[index] ?? '';
    return layout.split && index > 0 ? cell.split('|') : [cell];
  };
  if (layout.target === undefined) {
    const source = cells[layout.source] ?? '';
    if (source === '') return 'no source';
    for (const index of cells.keys())
      if (index !== layout.source) for (const target of valuesAt(index)) if (target !== '') take(source, target, []);
    return undefined;
  }
  const sources = valuesAt(layout.source);
  const targets = valuesAt(layout.target);
  if (sources.every((source) => source === '')) return 'no source';
  if (targets.every((target) => target === '')) return 'no target';
  const [few, many] = [sources.length, targets.length].sort((a, b) => a - b) as [number, number];
  const count = few === 1 ? many : few;
  const at = (values: readonly string[], index: number): string => values[values.length === 1 ? 0 : index]!;
  const fields = layout.fields.map(valuesAt);
  const fits = ({ length }: readonly string[]): boolean => length === 1 || length === count;
  const ready = fields.map((field) => (fits(field) ? field : [field.join(';')]));
  for (let index = 0; index < count; index += 1) {
    const [source, target] = [at(sources, index), at(targets, index)];
    if (source !== '' && target !== '')
      take(
        source,
        target,
        ready.map((field) => at(field, index)),
      );
  }
  if (few !== 1 && few !== many)
    return `${sources.length} sources and ${targets.length} targets: they go together in order, what is left over is left out`;
  const odd = count > 1 ? fields.findIndex((field) => !fits(field)) : -1;
  if (odd >= 0)
    return `${fields[odd]!.length} values of ${layout.columns[layout.fields[odd]!]} for ${count} associations: each gets all of them`;
  return raggedProblem(cells, layout.columns.length);
};
