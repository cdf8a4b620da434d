/** A table as rows of text by column. */
export type CsvTable = { columns: string[]; rows: Record<string, string>[] };

/** Reads a table of the demo: a head, then a line a row, commas between fields, no quotes. */
export const parseCsv = (text: string): CsvTable => {
  const [head = '', ...lines] = text.trim().split('\n');
  const columns = head.split(',');
  const toRow = (line: string) => {
    const fields = line.split(',');
    return Object.fromEntries(columns.map((column, index) => [column, fields[index] ?? '']));
  };
  return { columns, rows: lines.map(toRow) };
};

/** A column holds numbers and nothing else. */
export const isNumeric = ({ rows }: CsvTable, column: string): boolean =>
  rows.length > 0 && rows.every((row) => row[column] !== '' && Number.isFinite(Number(row[column])));
