import { createHash } from 'node:crypto';
import { eachAssociation } from './each-association.js';
import { type Lines, readLines } from './read-lines.js';
import type { Connection } from './sqlite.js';
import { type Head, readLayout, type TableLayout, takeHeadLine } from './table-layout.js';
import type { TableOptions } from './table-options.js';

/** A row that was not read as it should be. */
export type RowProblem = { problem: string; line: number };

/** What a table holds: names of its columns, how many associations, what was wrong. */
export type TableFacts = {
  source: string;
  target: string;
  fields: readonly string[];
  undirected: boolean;
  count: number;
  /** The most `~` in an entity that may stand in front of the `~` that joins a pair. */
  tildes: number;
  /** The first of the rows with problems; `problemCount` is of all. */
  problems: readonly RowProblem[];
  problemCount: number;
};

const rowsAtOnce = 200;
const mostProblems = 20;

const tildesIn = (text: string): number => (text.includes('~') ? text.split('~').length - 1 : 0);

const insertInto = (connection: Connection) => {
  const some = connection.prepare(`insert into association values ${Array(rowsAtOnce).fill('(?,?,?)').join()}`);
  const one = connection.prepare('insert into association values (?,?,?)');
  let waiting: string[] = [];
  return {
    add: (source: string, target: string, fields: string): void => {
      waiting.push(source, target, fields);
      if (waiting.length < 3 * rowsAtOnce) return;
      some.run(waiting);
      waiting = [];
    },
    end: (): void => {
      for (let at = 0; at < waiting.length; at += 3) one.run(waiting.slice(at, at + 3));
    },
  };
};

const factsOf = ({ columns, source, target, fields, undirected }: TableLayout) => ({
  source: columns[source]!,
  target: target === undefined ? (columns[source === 0 ? 1 : 0] ?? 'target') : columns[target]!,
  fields: fields.map((index) => columns[index]!),
  undirected,
});

/**
 * Fills a new SQLite file from the chunks of a TSV file: a row an association, fields joined by line ends (no value has one),
 * indexed from both sides. Holds a chunk at a time. Gives the SHA-256 of what it read, in hex.
 */
export const buildTable = async (
  connection: Connection,
  chunks: AsyncIterable<Buffer>,
  { file, options }: { file: string; options: TableOptions },
): Promise<{ facts: TableFacts; hash: string }> => {
  connection.exec('create table association (source text not null, target text not null, fields text not null)');
  const { add, end } = insertInto(connection);
  const hash = createHash('sha256');
  const problems: RowProblem[] = [];
  let [count, tildes, problemCount] = [0, 0, 0];
  let head: Head = { options, complete: false };
  let layout: TableLayout | undefined;

  const take = (source: string, target: string, values: readonly string[]): void => {
    add(source, target, values.join('\n'));
    count += 1;
    tildes = Math.max(tildes, tildesIn(source), layout?.undirected ? tildesIn(target) : 0);
  };
  const takeRow = (text: string, line: number, from: TableLayout): void => {
    const problem = eachAssociation(text, from, take);
    if (problem === undefined) return;
    problemCount += 1;
    if (problems.length < mostProblems) problems.push({ problem, line });
  };
  const takeLine = (text: string, line: number): void => {
    if (text === '') return;
    if (layout) {
      takeRow(text, line, layout);
      return;
    }
    head = takeHeadLine(head, { text, line }, options, file);
    if (!head.complete) return;
    layout = readLayout(head, file);
    if (layout.firstIsRow) takeRow(text, line, layout);
  };
  const hashed = async function* () {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
  const takeLines = ({ first, lines }: Lines): void => {
    for (const [index, text] of lines.entries()) takeLine(text, first + index);
  };

  for await (const lines of readLines(hashed(), file)) takeLines(lines);
  layout ??= readLayout(head, file);
  end();
  connection.exec('create index forward on association (source, target)');
  connection.exec('create index backward on association (target, source)');
  return { facts: { ...factsOf(layout), count, tildes, problems, problemCount }, hash: hash.digest('hex') };
};
