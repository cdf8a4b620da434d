import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Column, renderRows } from '../src/report-table.js';

type Row = { number: number; short: string; text: string; place: string };

const row = fc.record({
  number: fc.integer({ min: -1000, max: 1_000_000 }),
  short: fc.string({ unit: 'grapheme-ascii', maxLength: 8 }),
  text: fc.string({ unit: 'grapheme-ascii', maxLength: 200 }),
  place: fc.stringMatching(/^[a-z/]{1,120}#\d{1,3}$/),
});

const columns: readonly Column<Row>[] = [
  { head: 'NUMBER', cell: ({ number }) => number },
  { head: 'SHORT', cell: ({ short }) => short },
  { head: 'TEXT', kind: 'text', cell: ({ text }) => text },
  { head: 'PLACE', kind: 'place', cell: ({ place }) => place },
];

const render = (rows: readonly Row[], width: number): string[] =>
  renderRows(rows, columns, { columns: width, dim: (text) => text, place: (path) => path }).split('\n');

test('no line is wider than the terminal but for an address below its row, and no address is cut', () =>
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 6 }), fc.integer({ min: 60, max: 200 }), (rows, width) => {
      const lines = render(rows, width);
      for (const line of lines)
        if (!rows.some(({ place }) => line === `    ${place}`)) expect(line.length).toBeLessThanOrEqual(width);
      for (const { place } of rows) expect(lines.some((line) => line.endsWith(place))).toBe(true);
    }),
  ));

test('numbers end in one column, with their thousands marked', () =>
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 6 }), (rows) => {
      const shown = rows.map(({ number }) => number.toLocaleString('en-US'));
      const end = Math.max('NUMBER'.length, ...shown.map(({ length }) => length));
      const [head, ...lines] = render(rows, 400);
      expect(head!.slice(0, end).trimStart()).toBe('NUMBER');
      for (const [index, line] of lines.entries()) expect(line.slice(0, end).trimStart()).toBe(shown[index]);
    }),
  ));

test('nothing of a report moves the cursor', () =>
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
      const lines = render([{ number: 1, short: text, text, place: text }], 80);
      for (const line of lines) expect(line).not.toMatch(/\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u);
    }),
  ));

test('many rows are laid out as few are, under one head', () => {
  const rows = Array.from({ length: 250 }, (_, number) => ({ number, short: 's', text: 't', place: `a#${number}` }));
  const lines = render(rows, 100);
  expect(lines).toHaveLength(251);
  expect(new Set(lines.map((line) => line.indexOf(line.startsWith('NUMBER') ? 'PLACE' : 'a#'))).size).toBe(1);
});
