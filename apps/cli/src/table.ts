import Table from 'cli-table3';

/** How a table is laid out: which columns stand to the right, how wide they are where a cell is to be cut, how the head is painted. */
export type TableLayout = {
  right?: readonly number[];
  widths?: readonly number[];
  paint?: (text: string) => string;
};

const bare = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
} as const;

/** Rows under a head as aligned columns without lines, as text. */
export const renderTable = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
  { right = [], widths, paint = (text) => text }: TableLayout = {},
): string => {
  const table = new Table({
    head: head.map(paint),
    chars: bare,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
    ...(widths ? { colWidths: [...widths] } : {}),
    colAligns: head.map((_, index) => (right.includes(index) ? 'right' : 'left')),
  });
  table.push(...rows.map((row) => [...row]));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
};
