import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ColophonError, listJobs, loadResult } from '@colophon/workflow';
import { describe, expect, test } from 'vitest';
import { collect } from './support/collect.js';

// `UPDATE=1 npx vitest run --project unit packages/workflow/test/job-cases.test.ts` writes what reading gives now; read the difference
// before it is kept. A case is a root with persisted jobs; `expected/` has a file for each of them.
const update = process.env['UPDATE'] === '1';

const cases = fileURLToPath(new URL('../../../fixtures/jobs/', import.meta.url));

const toPlain = (value: unknown): unknown => (value instanceof Uint8Array ? { bytes: [...value] } : value);

const withoutFolder = (value: unknown, folder: string): unknown =>
  JSON.parse(JSON.stringify(value).replaceAll(folder, '<case>'));

describe.each(readdirSync(cases))('%s', async (name) => {
  const folder = join(cases, name);
  const jobs = await collect(listJobs([join(folder, 'var/jobs')], { files: true }));

  test.each(jobs)('$shortPath', async (job) => {
    const result = await loadResult(job).then(toPlain, (error: ColophonError) => ({ error: error.code }));
    const actual = withoutFolder({ ...job, result }, folder);
    const file = join(folder, 'expected', `${job.shortPath}.json`);
    if (update) {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${JSON.stringify(actual, null, 2)}\n`);
    }
    if (!existsSync(file))
      throw new Error(`${file} is missing. Write it with UPDATE=1, and read it before you keep it.`);
    expect(actual).toEqual(JSON.parse(readFileSync(file, 'utf8')));
  });

  test('no expectation without a job', () => {
    const expected = readdirSync(join(folder, 'expected'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, 'expected').length + 1));
    expect(expected.sort()).toEqual(jobs.map(({ shortPath }) => `${shortPath}.json`).sort());
  });
});
