// Runs every bench/*.bench.ts whose name holds the argument, prints what each compares, and ends with 1 where a ratio is over
// its limit. Ratios compare two things in one run, so that they hold on any machine.
import { readdirSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

/** One comparison: `ratio` of what is measured to what it is measured against; without a limit it is only told. */
export type Measure = { what: string; ratio: number; limit: number | null; detail: string };

/** What a bench file exports. */
export type Bench = { name: string; run: () => Promise<Measure[]> };

const verdict = ({ ratio, limit }: Measure): string => (limit === null ? '' : ratio <= limit ? 'ok' : 'OVER');

const table = (rows: string[][]): string => {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => [...row[column]!].length)));
  const numeric = [1, 2];
  return rows
    .map((row) =>
      row
        .map((cell, column) =>
          numeric.includes(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

const folder = fileURLToPath(new URL('.', import.meta.url));
const filter = process.argv[2] ?? '';
const benches: Bench[] = [];
for (const file of readdirSync(folder).sort()) {
  if (!file.endsWith('.bench.ts')) continue;
  const bench: Bench = await import(`./${file}`);
  if (bench.name.includes(filter)) benches.push(bench);
}
if (benches.length === 0) {
  console.error(`no bench has \`${filter}\` in its name`);
  process.exit(2);
}

let over = 0;
for (const { name, run } of benches) {
  const start = performance.now();
  const measures = await run();
  over += measures.filter((measure) => verdict(measure) === 'OVER').length;
  const rows = measures.map((measure) => [
    measure.what,
    measure.ratio.toFixed(2),
    measure.limit === null ? '–' : `≤ ${measure.limit}`,
    verdict(measure),
    measure.detail,
  ]);
  console.log(`${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  console.log(`${table([['what', 'ratio', 'limit', '', 'detail'], ...rows])}\n`);
}
console.log(over === 0 ? 'all within their limits' : `${over} over their limit`);
process.exit(over === 0 ? 0 : 1);
