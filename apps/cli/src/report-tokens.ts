import type { Reports } from '@colophon/analyst-tasks';
import type { Column } from './report-table.js';

type Tokens = Reports['chat_tokens']['deduplicated_total'];
type Field = Exclude<keyof Tokens, 'unknown'>;

const fields: readonly (readonly [field: Field, head: string])[] = [
  ['tt', 'TOTAL'],
  ['pt', 'PROMPT'],
  ['cct', 'CACHED'],
  ['cwt', 'WRITTEN'],
  ['ct', 'COMPLETION'],
  ['rt', 'REASONING'],
];

const always: readonly Field[] = ['tt', 'pt', 'ct'];

/** Columns of token counts; those of the cache and of reasoning where a row has any. What nobody reported is `?`. */
export const tokenColumns = <Row>(rows: readonly Row[], tokensOf: (row: Row) => Tokens | undefined): Column<Row>[] =>
  fields
    .filter(([field]) => always.includes(field) || rows.some((row) => (tokensOf(row)?.[field] ?? 0) > 0))
    .map(([field, head]) => ({
      head,
      cell: (row) => {
        const tokens = tokensOf(row);
        return tokens?.unknown?.includes(field) ? '?' : tokens?.[field];
      },
    }));
