import { visibleText } from '@colophon/provenance';
import { renderTable } from './table.js';

type Fields = Record<string, unknown>;

const widest = 64;
const mostColumns = 7;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTokens = (value: unknown): value is Fields => isFields(value) && 'pt' in value && 'tt' in value;

const tokenNames: readonly (readonly [string, string])[] = [
  ['tt', 'total'],
  ['pt', 'prompt'],
  ['cct', 'cached'],
  ['cwt', 'cache write'],
  ['ct', 'completion'],
  ['rt', 'reasoning'],
];

const printTokens = (tokens: Fields): string =>
  tokenNames
    .filter(([field]) => field === 'tt' || tokens[field])
    .map(([field, name]) => `${name} ${String(tokens[field] ?? 0)}`)
    .join(', ');

const isScalar = (value: unknown): boolean => value === null || typeof value !== 'object';

/** A value in one cell; undefined where it has to be shown otherwise. */
const cellOf = (value: unknown): string | undefined => {
  if (value === undefined || value === null) return '';
  if (isTokens(value)) return printTokens(value);
  if (Array.isArray(value))
    return value.every(isScalar) && value.length <= 8 ? value.map(String).join(', ') : `${value.length} of them`;
  if (isFields(value)) {
    const parts = Object.entries(value);
    return parts.every(([, part]) => isScalar(part)) && parts.length <= 6
      ? parts.map(([name, part]) => `${name} ${String(part)}`).join(', ')
      : undefined;
  }
  return String(value);
};

const cut = (text: string): string => {
  const line = visibleText(text.replace(/\s+/g, ' '));
  const characters = [...line];
  return characters.length > widest ? `${characters.slice(0, widest - 1).join('')}…` : line;
};

const tableOf = (rows: readonly Fields[], paint: (text: string) => string): string => {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const shown = names
    .filter((name) => rows.some((row) => ![undefined, ''].includes(cellOf(row[name]))))
    .slice(0, mostColumns);
  const right = shown.flatMap((name, index) =>
    rows.every((row) => typeof (row[name] ?? 0) === 'number') ? [index] : [],
  );
  return renderTable(
    shown.map((name) => name.toUpperCase()),
    rows.map((row) => shown.map((name) => cut(cellOf(row[name]) ?? ''))),
    { right, paint },
  );
};

const isTable = (value: unknown): value is Fields[] =>
  Array.isArray(value) && value.length > 0 && value.every(isFields);

/** The scalar facts of a report, those of its parts among them under both names, and its lists. */
const split = (
  report: Fields,
  prefix = '',
): { facts: [string, string][]; lists: [string, Fields[]][]; notes: string[] } => {
  const facts: [string, string][] = [];
  const lists: [string, Fields[]][] = [];
  const notes: string[] = [];
  for (const [name, value] of Object.entries(report)) {
    const label = prefix + name;
    if (name === 'note' || name === 'notes') notes.push(...[value].flat().map(String));
    else if (isTable(value)) lists.push([label, value]);
    else if (cellOf(value) !== undefined) facts.push([label, cellOf(value) || 'none']);
    else if (isFields(value)) {
      const below = split(value, `${label}.`);
      facts.push(...below.facts);
      lists.push(...below.lists);
      notes.push(...below.notes);
    }
  }
  return { facts, lists, notes };
};

/**
 * A report for people: its facts, a line each, its lists as tables, then its notes. Long cells are cut and lists of more columns than fit lose
 * the last ones: `--json` has all.
 */
export const showReport = (report: unknown, paint: (text: string) => string): string => {
  if (typeof report === 'string') return report;
  if (Array.isArray(report)) return isTable(report) ? tableOf(report, paint) : 'nothing';
  if (!isFields(report)) return String(report);
  const { facts, lists, notes } = split(report);
  const width = Math.max(0, ...facts.map(([name]) => name.length));
  const lines = facts.map(([name, value]) => `${paint(name.padEnd(width))}  ${visibleText(value)}`.trimEnd());
  const tables = lists.map(([name, rows]) => `${paint(`${name} (${rows.length})`)}\n${tableOf(rows, paint)}`);
  return [lines.join('\n'), ...tables, notes.map((note) => paint(note)).join('\n')]
    .filter((part) => part !== '')
    .join('\n\n');
};
