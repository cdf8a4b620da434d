import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import exceptions from './exceptions.json' with { type: 'json' };
import { findVectors } from './find-vectors.js';
import { runVector } from './run-vector.js';

/** Runs the vectors at some paths; prints skips and failures by id, then the counts. Resolves to the exit code. */
const run = async (paths: readonly string[]): Promise<number> => {
  const found = paths.map(findVectors);
  const vectors = found.flatMap((each) => each.vectors);
  const broken = found.flatMap((each) => each.broken);
  let passed = 0;
  let failed = broken.length;
  let skipped = 0;
  for (const { file, reason } of broken) console.log(`failed ${file}\n  not JSON: ${reason}`);
  for (const vector of vectors) {
    const outcome = await runVector(vector);
    const exception = (exceptions as Record<string, string>)[vector.id];
    if (outcome.kind === 'passed') passed++;
    else if (exception !== undefined) {
      skipped++;
      console.log(`skipped ${vector.id}: ${exception}`);
    } else {
      failed++;
      console.log(`failed ${vector.id}${vector.about === undefined ? '' : `: ${vector.about}`}`);
      for (const mismatch of outcome.mismatches) console.log(`  ${mismatch}`);
    }
  }
  if (vectors.length === 0) console.log(`no vectors found in ${paths.join(', ')}`);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed > 0 || vectors.length === 0 ? 1 : 0;
};

// npm runs scripts from the root of the repository; INIT_CWD is where the person stands.
const here = process.env['INIT_CWD'] ?? process.cwd();
const given = process.argv.slice(2).map((path) => resolve(here, path));
const paths = given.length > 0 ? given : [fileURLToPath(new URL('cases', import.meta.url))];
const missing = paths.find((path) => !existsSync(path));
if (missing === undefined) process.exitCode = await run(paths);
else {
  console.error(`No such file or folder: ${missing}. Usage: npm run vectors -- DIR`);
  process.exitCode = 2;
}
