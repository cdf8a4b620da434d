import { headOf } from '../well-formed.js';
import { badOptions, badTable } from './errors.js';
import { optionsOfPreamble, type TableOptions } from './table-options.js';

/** A line of a file and its number. */
export type NumberedLine = { line: number; text: string };

/** What stands where in a row. Without a `target` all cells but the source are targets (`flat`). */
export type TableLayout = {
  sep: string;
  columns: readonly string[];
  source: number;
  target: number | undefined;
  fields: readonly number[];
  /** Cells behind the first column hold several values, with `|` between them. */
  split: boolean;
  undirected: boolean;
  /** The line that ended the head is a row. */
  firstIsRow: boolean;
};

const nameColumns = (cells: readonly string[]): string[] => {
  const seen = new Set<string>();
  return cells.map((cell, index) => {
    let unique = cell.trim() || String(index + 1);
    while (seen.has(unique)) unique += ` (${index + 1})`;
    seen.add(unique);
    return unique;
  });
};

const columnOf = (wanted: string, columns: readonly string[], where: string): number => {
  const named = columns.indexOf(wanted);
  const index = named >= 0 ? named : /^\d{1,6}$/.test(wanted) ? Number(wanted) - 1 : -1;
  if (index >= 0 && index < columns.length) return index;
  const translates = /=[>~]/.test(wanted) ? ' (identifiers are not translated: name the column alone)' : '';
  throw badOptions(where, `there is no column \`${wanted}\`${translates}; the columns are: ${columns.join(', ')}`);
};

/** What the leading `#` lines of a TSV have told so far. */
export type Head = { options: TableOptions; names?: NumberedLine; first?: NumberedLine; complete: boolean };

/**
 * Takes a line of the head. Behind `#:` stand options (those given beat them); the first other `#` line with several cells
 * names the columns and ends the head, others are remarks; so does the first line without `#`.
 */
export const takeHeadLine = (head: Head, line: NumberedLine, given: TableOptions, file: string): Head => {
  const { text } = line;
  if (text.startsWith('#:')) {
    const told = optionsOfPreamble(text, `${file}:${line.line}`);
    return { ...head, options: { ...head.options, ...told, ...given } };
  }
  if (!text.startsWith('#')) return { ...head, first: line, complete: true };
  return { ...head, names: line, complete: text.includes(head.options.sep ?? '\t') };
};

/**
 * What stands where, by the head of a TSV. Without names behind `#`, the first line names the columns, unless the options say
 * that there is no header. Throws `kb_table`, or `kb_options` that tells the columns there are.
 */
export const readLayout = ({ options, names: last, first }: Head, file: string): TableLayout => {
  const { sep = '\t', type = 'double', undirected = false, header = true } = options;
  // One name alone names the source of a `flat` table; else it is a remark.
  const names = last && (type === 'flat' || !first || last.text.includes(sep)) ? last : undefined;
  const line = names ? { ...names, text: names.text.slice(1) } : first;
  if (line === undefined) throw badTable(file, 1, 'The file is empty; expected a line that names the columns');
  const cells = line.text.split(sep);
  const columns = nameColumns(names || header ? cells : cells.map(() => ''));
  if (columns.length < 2 && !(type === 'flat' && names))
    throw badTable(
      file,
      line.line,
      `Expected two columns or more with ${JSON.stringify(sep)} between them, found one: ${JSON.stringify(headOf(line.text, 80))}. Say \`sep\` where something else stands between cells`,
    );
  const place = (name: string | undefined): number | undefined =>
    name === undefined ? undefined : columnOf(name, columns, file);
  const namedTarget = place(options.target);
  const source = place(options.source) ?? (namedTarget === 0 ? 1 : 0);
  const target = namedTarget ?? (type === 'flat' ? undefined : source === 0 ? 1 : 0);
  if (source === target) throw badOptions(file, `source and target are the same column, \`${columns[source]}\``);
  const plain = type === 'flat' || type === 'single';
  if (plain && options.fields?.length) throw badOptions(file, `a table of type ${type} has no fields`);
  const others = columns.map((_, index) => index).filter((index) => index !== source && index !== target);
  const fields = plain ? [] : (options.fields?.map((name) => columnOf(name, columns, file)) ?? others);
  return {
    sep,
    columns,
    source,
    target,
    fields: [...new Set(fields)],
    split: type === 'double' || type === 'flat',
    undirected,
    firstIsRow: first !== undefined && (names !== undefined || !header),
  };
};
