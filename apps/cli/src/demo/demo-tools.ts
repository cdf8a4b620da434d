import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { defineTool, type Tool } from '@colophon/tools';
import { type CsvTable, isNumeric, parseCsv } from './csv-table.js';

const measures: Readonly<Record<string, (numbers: readonly number[]) => number>> = {
  sum: (numbers) => numbers.reduce((sum, number) => sum + number, 0),
  mean: (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length,
  min: (numbers) => Math.min(...numbers),
  max: (numbers) => Math.max(...numbers),
};

const needColumn = ({ columns }: CsvTable, column: string): void => {
  if (!columns.includes(column)) throw new Error(`no column \`${column}\`; there are ${columns.join(', ')}`);
};

const describe = (table: CsvTable) => ({
  rows: table.rows.length,
  columns: table.columns.map((name) => {
    const values = table.rows.map((row) => row[name]!);
    if (!isNumeric(table, name)) return { name, kind: 'text', values: [...new Set(values)].slice(0, 12) };
    return { name, kind: 'number', min: Math.min(...values.map(Number)), max: Math.max(...values.map(Number)) };
  }),
});

const summarise = (table: CsvTable, by: string, column: string, measure: string) => {
  for (const name of [by, column]) needColumn(table, name);
  if (!isNumeric(table, column)) throw new Error(`column \`${column}\` holds text, and \`${measure}\` needs numbers`);
  const groups = new Map<string, number[]>();
  for (const row of table.rows) {
    const group = groups.get(row[by]!) ?? [];
    group.push(Number(row[column]));
    groups.set(row[by]!, group);
  }
  return [...groups].map(([group, numbers]) => ({
    [by]: group,
    [`${measure}_${column}`]: Math.round(measures[measure]!(numbers) * 100) / 100,
  }));
};

/** The tools of the demo: they read the tables of one folder, and compute. Nothing outside that folder can be named. */
export const demoTools = (folder: string): Tool[] => {
  const readTable = async (file: unknown) => parseCsv(await readFile(join(folder, basename(String(file))), 'utf8'));
  const file = { type: 'string', description: 'name of the table, e.g. loans.csv' };
  return [
    defineTool({
      name: 'describe_table',
      description: 'Number of rows of a table, its columns and what they hold.',
      parameters: { type: 'object', properties: { file }, required: ['file'], additionalProperties: false },
      readOnly: true,
      idempotent: true,
      run: async (given) => describe(await readTable(given['file'])),
    }),
    defineTool({
      name: 'summarise_table',
      description: 'One number for each group of rows: sum, mean, min or max of a column.',
      parameters: {
        type: 'object',
        properties: {
          file,
          by: { type: 'string', description: 'column whose values make the groups' },
          column: { type: 'string', description: 'column of numbers' },
          measure: { type: 'string', enum: Object.keys(measures) },
        },
        required: ['file', 'by', 'column', 'measure'],
        additionalProperties: false,
      },
      readOnly: true,
      idempotent: true,
      run: async (given) => {
        const table = await readTable(given['file']);
        return summarise(table, String(given['by']), String(given['column']), String(given['measure']));
      },
    }),
  ];
};
