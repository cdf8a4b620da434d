import { once } from 'node:events';
import { createWriteStream, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { runCalls, type Tool, type ToolContext } from '@colophon/tools';
import { openKnowledgeBase } from '@colophon/tools/knowledge-base';
import Sqlite from 'libsql';

export const name = 'knowledge base';

type Result = { what: string; ratio: number; limit: number | null; detail: string };

const associations = 1_000_000;
const sources = 100_000;

/** Milliseconds that this thread has worked, so that other programs of the machine don't count; else those of the clock. */
const clock = existsSync('/proc/thread-self/schedstat')
  ? () => Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6
  : () => performance.now();

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** Milliseconds of work of one run of each action. They take turns, many runs at a time, since the clock is coarse. */
const medians = async (actions: (() => unknown)[], rounds = 21, repeats = 300): Promise<number[]> => {
  const times: number[][] = actions.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, action] of actions.entries()) {
      const start = clock();
      for (let repeat = 0; repeat < repeats; repeat += 1) await action();
      if (round > 2) times[index]!.push((clock() - start) / repeats);
    }
  }
  return times.map(median);
};

const writeTable = async (file: string): Promise<void> => {
  const stream = createWriteStream(file);
  stream.write('#Source\tTarget\tKind\tYear\n');
  for (let start = 0; start < associations; start += 10_000) {
    const lines = Array.from({ length: 10_000 }, (_, at) => {
      const index = start + at;
      return `entity ${(index * 7919) % sources}\ttarget ${(index * 104_729) % associations}\tkind ${index % 7}\t${1900 + (index % 120)}\n`;
    });
    if (!stream.write(lines.join(''))) await once(stream, 'drain');
  }
  stream.end();
  await finished(stream);
};

const context: ToolContext = { signal: new AbortController().signal, callId: 'c', onProgress: () => {} };

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;

/** The build of a million associations (told), and the queries of ten entities beside ten look-ups by SQLite alone. */
export const run = async (): Promise<Result[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-kb-'));
  try {
    const file = join(folder, 'db.tsv');
    await writeTable(file);
    let most = 0;
    const before = process.memoryUsage().rss;
    const watch = () => {
      most = Math.max(most, process.memoryUsage().rss - before);
    };
    const work = clock();
    const start = performance.now();
    const { tools, close } = await openKnowledgeBase(folder, { onProgress: watch });
    const built = performance.now() - start;
    const worked = clock() - work;
    watch();
    const again = performance.now();
    (await openKnowledgeBase(folder)).close();
    const opened = performance.now() - again;

    const query = tools.find((tool) => tool.name === 'db') as Tool;
    const path = join(folder, '.db.tsv.sqlite');
    // Opened as a file that nobody changes: else each look-up locks it, which takes longer.
    const bare = new Sqlite(`${pathToFileURL(path).href}?mode=ro&immutable=1`);
    const results: Result[] = [
      {
        what: 'build of 1,000,000 associations, in seconds',
        ratio: built / 1000,
        limit: null,
        detail: `${(worked / 1000).toFixed(1)} s of work; TSV ${megabytes(statSync(file).size)}, SQLite ${megabytes(statSync(path).size)}, memory grew by ${megabytes(most)}; opened again in ${opened.toFixed(1)} ms`,
      },
    ];
    for (const [what, entities, reverse] of [
      ['a query of 10 entities', Array.from({ length: 10 }, (_, index) => `entity ${index * 9_973}`), false],
      ['a reverse query of 10 entities', Array.from({ length: 10 }, (_, index) => `target ${index * 99_991}`), true],
    ] as const) {
      const [asked, found] = reverse ? ['target', 'source'] : ['source', 'target'];
      const statement = bare.prepare(`select ${found} from association where ${asked} = ?`).raw();
      const lookUp = () => entities.map((entity) => statement.all([entity]) as string[][]);
      const ask = () => query.run({ entities, reverse }, context) as Promise<string[]>;
      const call = { id: 'c', name: 'db', arguments: { entities, reverse } };
      const whole = () => runCalls([call], [query], { now: () => new Date(0) });
      const rows = lookUp().flatMap((some, index) =>
        some.map(([other]) => (reverse ? `${other}~${entities[index]}` : `${entities[index]}~${other}`)),
      );
      const given = await ask();
      if (given.length !== rows.length || given.toSorted().join('\n') !== rows.toSorted().join('\n'))
        throw new Error('the query and the look-ups give different rows');
      const [asking = 0, looking = 1, calling = 0] = await medians([ask, lookUp, whole]);
      const detail = (time: number) =>
        `${(time * 1000).toFixed(0)} to ${(looking * 1000).toFixed(0)} µs, ${rows.length} rows`;
      results.push(
        { what: `${what}, beside ten look-ups of SQLite`, ratio: asking / looking, limit: 5, detail: detail(asking) },
        {
          what: `${what} as a whole call, beside the same`,
          ratio: calling / looking,
          limit: null,
          detail: detail(calling),
        },
      );
    }
    bare.close();
    close();
    return results;
  } finally {
    rmSync(folder, { recursive: true });
  }
};
