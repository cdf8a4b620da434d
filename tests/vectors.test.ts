import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import exceptions from './vectors/exceptions.json' with { type: 'json' };
import { findVectors } from './vectors/find-vectors.js';
import { laterReason } from './vectors/later.js';
import { runVector } from './vectors/run-vector.js';

const { vectors, broken } = findVectors(fileURLToPath(new URL('vectors/cases', import.meta.url)));

test('every file of vectors can be read, and no two have one id', () => {
  expect(broken).toEqual([]);
  expect(vectors.length).toBeGreaterThan(250);
  expect(new Set(vectors.map(({ id }) => id)).size).toBe(vectors.length);
});

test('every exception is a vector, with a reason', () => {
  const ids = vectors.map(({ id }) => id);
  for (const [id, reason] of Object.entries(exceptions)) {
    expect(ids).toContain(id);
    expect(reason).toMatch(/\S+ \S+/);
  }
});

for (const vector of vectors) {
  const exception = (exceptions as Record<string, string>)[vector.id];
  const name = `${vector.id}: ${exception ?? laterReason(vector) ?? vector.about ?? ''}`;
  if (laterReason(vector) !== undefined) test.skip(name, () => {});
  // An exception that would pass is one no longer.
  else if (exception !== undefined) test(name, async () => expect((await runVector(vector)).kind).toBe('failed'));
  else test(name, async () => expect(await runVector(vector)).toEqual({ kind: 'passed' }));
}
