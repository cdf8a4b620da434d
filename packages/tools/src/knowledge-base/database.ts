import type { TableFacts } from './build-table.js';
import { closedDatabase } from './errors.js';
import type { DatabaseWarning, Watch } from './make-table.js';
import { isFresh, openTable, remakeTable } from './open-table.js';
import { prepareQueries, type Queries } from './queries.js';
import { isDamage } from './sqlite.js';
import type { TableOptions } from './table-options.js';

/** Where the associations of a database come from, and what it is about. */
export type DatabaseSource = {
  name: string;
  /** Path of the TSV file. */
  file: string;
  options: TableOptions;
  description?: string | undefined;
  /** Where its SQLite file may stand, best first; where none can be written, it is private and lasts as long as the object. */
  places: readonly string[];
};

/** Associations that can be asked for. `source` and `target` are the names of the columns. */
export type Database = {
  name: string;
  description: string | undefined;
  source: string;
  target: string;
  fields: readonly string[];
  undirected: boolean;
  /** How many associations it has. */
  count: number;
  /** What was wrong with its files; the first twenty rows, and how many more there are. Grows where damage shows later. */
  warnings: readonly DatabaseWarning[];
  /** Pairs `source~target`, in the order of the entities, those of one sorted by code points. Unknown entities have none. */
  pairs: (entities: readonly string[], options?: { reverse?: boolean }) => Promise<string[]>;
  /** The values of the fields, in their order, of each pair that there is. */
  details: (associations: readonly string[]) => Promise<Map<string, string[]>>;
  /** Whether the TSV file and the options are those that were read. */
  isFresh: (source: DatabaseSource) => Promise<boolean>;
  close: () => void;
};

const rowWarnings = ({ file }: DatabaseSource, { problems, problemCount }: TableFacts): DatabaseWarning[] => {
  const more = problemCount - problems.length;
  return [
    ...problems.map(({ problem, line }) => ({
      code: 'kb_row' as const,
      message: `${file}:${line}: ${problem}.`,
      line,
    })),
    ...(more > 0 ? [{ code: 'kb_row' as const, message: `${file}: ${more} more rows have problems.` }] : []),
  ];
};

/** Opens a database, built first where it is new or its TSV file has changed. Throws what `makeTable` does. */
export const openDatabase = async (source: DatabaseSource, watch: Watch = {}): Promise<Database> => {
  const first = await openTable(source.places, source, watch);
  const { facts } = first.stored;
  const tables = [first];
  let queries: Queries | undefined = prepareQueries(first.connection, facts);

  const warnings: DatabaseWarning[] = [];
  const warn = (some: readonly DatabaseWarning[]): void => {
    for (const warning of some) {
      warnings.push(warning);
      watch.onWarning?.(warning);
    }
  };
  warn([...first.warnings, ...rowWarnings(source, facts)]);

  // Damage deep in a file shows when it is read: the table is then built again, once, and asked again.
  const ask = async <Answer>(question: (queries: Queries) => Answer): Promise<Answer> => {
    if (!queries) throw closedDatabase(source.name);
    try {
      return question(queries);
    } catch (cause) {
      if (!isDamage(cause)) throw cause;
      const again = await remakeTable(source.places, source);
      warn(again.warnings);
      tables.push(again);
      queries = prepareQueries(again.connection, again.stored.facts);
      return question(queries);
    }
  };

  return {
    name: source.name,
    description: source.description,
    source: facts.source,
    target: facts.target,
    fields: facts.fields,
    undirected: facts.undirected,
    count: facts.count,
    warnings,
    pairs: (entities, { reverse = false } = {}) => ask((ready) => ready.pairs(entities, reverse)),
    details: (associations) => ask((ready) => ready.details(associations)),
    isFresh: (now) => isFresh(first.stored, now),
    close: () => {
      queries = undefined;
      for (const { connection } of tables.splice(0)) connection.close();
    },
  };
};
