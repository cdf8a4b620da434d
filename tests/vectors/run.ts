import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import exceptions from './exceptions.json' with { type: 'json' };
import { findVectors } from './find-vectors.js';
import { runVector } from './run-vector.js';

/** Runs the vectors at a path; prints skips and failures by id, then the counts. Resolves to the exit code. */
const run = async (path: string): Promise<number> => {
  const { vectors, broken } = findVectors(path);
  let passed = 0;
  let failed = broken.length;
  let skipped = 0;
  for (const { file, reason } of broken) console.log(`failed ${file}\n  not JSON: ${reason}`);
  for (const vector of vectors) {
    const outcome = await runVector(vector);
    const exception = (exceptions as Record<string, string>)[vector.id];
    if (outcome.kind === 'passed') passed++;
    else if (outcome.kind === 'skipped' || exception !== undefined) {
      skipped++;
      console.log(`skipped ${vector.id}: ${outcome.kind === 'skipped' ? outcome.reason : exception}`);
    } else {
      failed++;
      console.log(`failed ${vector.id}${vector.about === undefined ? '' : `: ${vector.about}`}`);
      for (const mismatch of outcome.mismatches) console.log(`  ${mismatch}`);
    }
  }
  if (vectors.length === 0) console.log(`no vectors found at ${path}`);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  return failed > 0 || vectors.length === 0 ? 1 : 0;
};

const path = resolve(process.argv[2] ?? new URL('cases', import.meta.url).pathname);
if (existsSync(path)) process.exitCode = await run(path);
else {
  console.error(`No such file or folder: ${path}. Usage: npm run vectors -- DIR`);
  process.exitCode = 2;
}
