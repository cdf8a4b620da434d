import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { defineWorkflow, task } from '@colophon/workflow';
import { z } from 'zod';

type Table = { columns: string[]; rows: Record<string, string>[] };

const measures = {
  sum: (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0),
  mean: (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length,
  min: (numbers: number[]) => Math.min(...numbers),
  max: (numbers: number[]) => Math.max(...numbers),
};

// Tables stand two folders above this file; nothing outside that folder can be named.
const readTable = async (file: string): Promise<Table> => {
  const text = await readFile(new URL(`../../${basename(file)}`, import.meta.url), 'utf8');
  const [head = '', ...lines] = text.trim().split('\n');
  const columns = head.split(',');
  const toRow = (line: string) => {
    const fields = line.split(',');
    return Object.fromEntries(columns.map((column, index) => [column, fields[index] ?? '']));
  };
  return { columns, rows: lines.map(toRow) };
};

const isNumeric = ({ rows }: Table, column: string): boolean =>
  rows.length > 0 && rows.every((row) => row[column] !== '' && Number.isFinite(Number(row[column])));

const needColumn = ({ columns }: Table, column: string): void => {
  if (!columns.includes(column)) throw new Error(`no column \`${column}\`; there are ${columns.join(', ')}`);
};

const file = z.string().describe('name of the table, e.g. loans.csv');

// A table may change: its jobs are `fresh`, that is, run again when they are asked for again.
export default defineWorkflow({
  name: 'Tables',
  title: 'Tables',
  description: 'Reads tables of comma-separated values.',
  tasks: {
    describe_table: task({
      description: 'Number of rows of a table, its columns and what they hold.',
      input: z.object({ file }),
      type: 'json',
      readOnly: true,
      fresh: true,
      run: async (input) => {
        const table = await readTable(input.file);
        return {
          rows: table.rows.length,
          columns: table.columns.map((name) => {
            const values = table.rows.map((row) => row[name] ?? '');
            if (!isNumeric(table, name)) return { name, kind: 'text', values: [...new Set(values)].slice(0, 12) };
            const numbers = values.map(Number);
            return { name, kind: 'number', min: Math.min(...numbers), max: Math.max(...numbers) };
          }),
        };
      },
    }),
    summarise_table: task({
      description: 'One number for each group of rows: sum, mean, min or max of a column.',
      input: z.object({
        file,
        by: z.string().describe('column whose values make the groups'),
        column: z.string().describe('column of numbers'),
        measure: z.enum(['sum', 'mean', 'min', 'max']),
      }),
      type: 'json',
      readOnly: true,
      fresh: true,
      run: async ({ by, column, measure, ...input }) => {
        const table = await readTable(input.file);
        for (const name of [by, column]) needColumn(table, name);
        if (!isNumeric(table, column))
          throw new Error(`column \`${column}\` holds text, and \`${measure}\` needs numbers`);
        const groups = new Map<string, number[]>();
        for (const row of table.rows) {
          const group = row[by] ?? '';
          groups.set(group, [...(groups.get(group) ?? []), Number(row[column])]);
        }
        return [...groups].map(([group, numbers]) => ({
          [by]: group,
          [`${measure}_${column}`]: Math.round(measures[measure](numbers) * 100) / 100,
        }));
      },
    }),
  },
});
