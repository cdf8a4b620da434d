import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { jobDigest } from '@colophon/workflow';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const runs = process.env['COLOPHON_FUZZ'] === 'full' ? 100_000 : 3_000;
const timeout = 900_000;

const json = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' });
const inputs = fc.dictionary(fc.string({ unit: 'binary', maxLength: 6 }), json, { maxKeys: 5 });
const dependencies = fc.dictionary(fc.string({ maxLength: 3 }), fc.oneof(fc.stringMatching(/^[0-9a-f]{32}$/)), {
  maxKeys: 2,
});
const identity = fc.record({
  workflow: fc.string({ maxLength: 4 }),
  task: fc.string({ maxLength: 4 }),
  inputs,
  dependencies,
});

/** The same value with the keys of all objects the other way round. */
const turned = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, turned(inner)]),
  );
};

/** A text that differs exactly where two values do, by other means than the digest's. */
const trace = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(trace).join()}]`;
  if (typeof value !== 'object' || value === null) return `${typeof value}:${JSON.stringify(value)}`;
  const entries = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}=${trace(inner)}`);
  return `{${entries.sort().join()}}`;
};

test(
  'the digest does not depend on the order of keys',
  () => {
    fc.assert(
      fc.property(identity, (one) => {
        expect(jobDigest(turned(one) as typeof one)).toBe(jobDigest(one));
        expect(jobDigest(one)).toMatch(/^[0-9a-f]{32}$/);
      }),
      { numRuns: runs },
    );
  },
  timeout,
);

test(
  'what differs has another digest',
  () => {
    const seen = new Map<string, string>();
    fc.assert(
      fc.property(identity, (one) => {
        const digest = jobDigest(one);
        const text = trace([one.workflow, one.task, one.inputs, one.dependencies]);
        expect(seen.get(digest) ?? text).toBe(text);
        seen.set(digest, text);
      }),
      { numRuns: runs },
    );
  },
  timeout,
);

test('values that look alike are told apart', () => {
  const values = [
    ...[
      '1',
      1,
      true,
      'true',
      null,
      'null',
      '',
      [],
      [''],
      [[]],
      {},
      { a: 1 },
      { a: '1' },
      ['a', 'b'],
      ['a,b'],
      [1, 2],
      [2, 1],
    ],
    ...[
      0,
      '0',
      '-0',
      1e21,
      '1e21',
      'é',
      'e\u0301',
      '\ud800',
      '\\ud800',
      '\ufffd',
      { __proto__: null, x: 1 },
      JSON.parse('{"__proto__":1}'),
    ],
  ];
  const digests = values.map((value) =>
    jobDigest({ workflow: 'A', task: 'b', inputs: { x: value }, dependencies: {} }),
  );
  const absent = jobDigest({ workflow: 'A', task: 'b', inputs: {}, dependencies: {} });
  expect(new Set([...digests, absent]).size).toBe(values.length + 1);
});

test('where a name ends and the next begins is told apart', () => {
  const of = (workflow: string, task: string): string => jobDigest({ workflow, task, inputs: {}, dependencies: {} });
  expect(of('ab', 'c')).not.toBe(of('a', 'bc'));
});

test('it is the same in another process, in another folder, and for ever', () => {
  const one = {
    workflow: 'Kitchen',
    task: 'bake',
    inputs: { minutes: 30, ä: ['x', null] },
    dependencies: { dough: 'ab'.repeat(16) },
  };
  const place = fileURLToPath(new URL('../src/identity.ts', import.meta.url));
  const code = `import { jobDigest } from ${JSON.stringify(place)}; process.stdout.write(jobDigest(${JSON.stringify(turned(one))}))`;
  const tsx = fileURLToPath(import.meta.resolve('tsx'));
  const output = execFileSync(process.execPath, ['--import', tsx, '--input-type=module', '-e', code], {
    cwd: '/',
    encoding: 'utf8',
  });
  expect(output).toBe(jobDigest(one));
  expect(output).toMatchInlineSnapshot(`"82b67cb868a672e54cf46eae98100426"`);
});
