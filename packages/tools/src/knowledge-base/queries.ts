import type { TableFacts } from './build-table.js';
import type { Connection } from './sqlite.js';

/** What is asked of a table. Pairs are written `source~target`. */
export type Queries = {
  /** Pairs of entities: in the order asked, those of one sorted by the code points of the other side, each once. */
  pairs: (entities: readonly string[], reverse: boolean) => string[];
  /** The values of each pair that there is, by pair; one value a field, `;` between those of several rows. */
  details: (associations: readonly string[]) => Map<string, string[]>;
};

// What no row can hold, SQLite would take for something else: NUL ends a text, half a character becomes U+FFFD.
const canBe = (entity: string): boolean => !entity.includes('\0') && !/\p{Surrogate}/u.test(entity);

const unique = (texts: readonly string[]): string[] => [...new Set(texts)].filter(canBe);

const forward = 'select distinct target from association where source = ?1';
const backward = 'select distinct source from association where target = ?1';

const toValues = (rows: readonly string[][], fields: number): string[] => {
  const occurrences = [...new Set(rows.map(([text]) => text!))].map((text) => text.split('\n'));
  return Array.from({ length: fields }, (_, index) => occurrences.map((values) => values[index] ?? '').join(';'));
};

/** Prepares the queries of a table. */
export const prepareQueries = (connection: Connection, { undirected, tildes, fields }: TableFacts): Queries => {
  const prepare = (sql: string) => {
    const statement = connection.prepare(sql).raw();
    return (...values: string[]) => statement.all(values) as string[][];
  };
  const targetsOf = prepare(undirected ? `${forward} union ${backward} order by 1` : `${forward} order by target`);
  const sourcesOf = prepare(`${backward} order by source`);
  const rowsOf = prepare(
    `select fields from association where (source = ?1 and target = ?2)${undirected ? ' or (source = ?2 and target = ?1)' : ''} order by rowid`,
  );

  // Entities may hold `~`: every place where the pair can be parted is looked up.
  const rowsOfPair = (pair: string): string[][] => {
    const rows: string[][] = [];
    let at = pair.indexOf('~');
    for (let tries = 0; at >= 0 && tries <= tildes; tries += 1) {
      rows.push(...rowsOf(pair.slice(0, at), pair.slice(at + 1)));
      at = pair.indexOf('~', at + 1);
    }
    return rows;
  };

  return {
    pairs: (entities, reverse) =>
      unique(entities).flatMap((entity) =>
        reverse && !undirected
          ? sourcesOf(entity).map(([source]) => `${source}~${entity}`)
          : targetsOf(entity).map(([target]) => `${entity}~${target}`),
      ),
    details: (associations) =>
      new Map(
        unique(associations).flatMap((pair) => {
          const rows = rowsOfPair(pair);
          return rows.length > 0 ? [[pair, toValues(rows, fields.length)] as const] : [];
        }),
      ),
  };
};
