import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import exceptions from './vectors/exceptions.json' with { type: 'json' };
import { findVectors } from './vectors/find-vectors.js';
import { runVector } from './vectors/run-vector.js';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const found = ['vectors/cases', 'vectors/more'].map((folder) => findVectors(here(folder)));
const vectors = found.flatMap((each) => each.vectors);

test('every file of vectors can be read, and no two have one id', () => {
  expect(found.flatMap(({ broken }) => broken)).toEqual([]);
  expect(vectors.length).toBeGreaterThan(350);
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
  const name = `${vector.id}: ${exception ?? vector.about ?? ''}`;
  // An exception that would pass is one no longer.
  if (exception !== undefined) test(name, async () => expect((await runVector(vector)).kind).toBe('failed'));
  else test(name, async () => expect(await runVector(vector)).toEqual({ kind: 'passed' }));
}

describe('the runner', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vectors-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const write = (path: string, value: unknown): void => {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
  };
  const parse = (id: string, content: string) => ({
    id,
    input: { op: 'parse', text: 'user: hi' },
    expect: { messages: [{ role: 'user', content }] },
  });
  const compile = (id: string, content: string) => ({
    id,
    input: { op: 'compile', main: 'main.chat' },
    expect: { messages: [{ role: 'user', content }] },
  });
  write('any/depth/some.json', [parse('right', 'hi'), parse('wrong', 'ho')]);
  write('one.json', { id: 'unknown', input: { op: 'no_such_operation' }, expect: {} });
  write('trees/case/expected.json', compile('tree', '<file name="{{ROOT}}/kept.json">\n[{"id":"no vector"}]\n</file>'));
  write('trees/case/files/main.chat', 'file: {{ROOT}}/kept.json\n');
  write('trees/case/files/kept.json', '[{"id":"no vector"}]');
  write('not-vectors.json', [{ text: 'x' }]);

  const run = (path: string) =>
    new Promise<{ code: number; lines: string[] }>((resolve) => {
      const parameters = ['--import', 'tsx', '-C', 'colophon-source', here('vectors/run.ts'), path];
      execFile(
        process.execPath,
        parameters,
        { cwd: here('..'), env: { ...process.env, INIT_CWD: folder } },
        (error, stdout) => {
          resolve({ code: error ? Number(error.code) : 0, lines: stdout.trimEnd().split('\n') });
        },
      );
    });

  test('runs a folder that it has never seen, by id, and ends with the counts', async () => {
    const { code, lines } = await run(folder);
    expect(lines).toContain('failed wrong');
    expect(lines).toContain('  $.messages[0].content: expected "ho", got "hi"');
    expect(lines).toContain('failed unknown');
    expect(lines).toContain('  unknown operation no_such_operation');
    expect(lines.at(-1)).toBe('2 passed, 2 failed, 0 skipped');
    expect(code).toBe(1);
  });

  test('runs one file, named from where the person stands', async () => {
    expect(await run('trees/case/expected.json')).toEqual({ code: 0, lines: ['1 passed, 0 failed, 0 skipped'] });
  });

  test('says so where there is nothing to run', async () => {
    const { code, lines } = await run('not-vectors.json');
    expect([code, lines.at(-1)]).toEqual([1, '0 passed, 0 failed, 0 skipped']);
    expect((await run('nowhere')).code).toBe(2);
  });
});
