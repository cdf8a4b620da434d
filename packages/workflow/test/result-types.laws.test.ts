import { isDeepStrictEqual } from 'node:util';
import { type ColophonError, resultTypes } from '@colophon/workflow';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

const runs = process.env['COLOPHON_FUZZ'] === 'full' ? 100_000 : 3_000;
const timeout = 900_000;

type Name = keyof typeof resultTypes;

const encoder = new TextEncoder();
const toBytes = (printed: string | Uint8Array): Uint8Array =>
  typeof printed === 'string' ? encoder.encode(printed) : printed;

const nasty = fc.constantFrom(
  ...[
    '',
    ' ',
    '\n',
    '\r',
    '\r\n',
    '\t',
    '\0',
    '\ufeff',
    '\u0085',
    '\u2028',
    '---',
    '...',
    '- a',
    '# x',
    'a: b',
    ': ',
    '<<',
    '*a',
    '&a',
  ],
  ...[
    '!!str x',
    'yes',
    'null',
    '~',
    '1',
    '01',
    '0x1',
    '1e3',
    '.nan',
    '2001-01-01',
    "'",
    '"',
    '\\',
    '|',
    '>',
    '%YAML',
    '@',
    '`',
    'é',
    '\ud83d',
  ],
  ...[
    'true',
    '__proto__',
    'constructor',
    '  indented\n more\n',
    'trailing \n',
    '\n\n',
    'a\n b\n\n',
    '?',
    '? x',
    '- ',
    '\u007f',
    '\u0001',
  ],
);
const text = fc.oneof(
  nasty,
  fc.array(nasty, { maxLength: 5 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    text,
    fc.constantFrom(null, true, false),
    fc.integer(),
    fc.double(),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(text, tie('value'), { maxKeys: 4 }),
  ),
})).value;

const values: Record<Name, fc.Arbitrary<unknown>> = {
  string: text,
  text,
  chat: text,
  integer: fc.oneof(fc.maxSafeInteger(), fc.double(), fc.constant(-0)),
  float: fc.double(),
  boolean: fc.boolean(),
  array: fc.array(text, { maxLength: 5 }),
  json,
  yaml: json,
  tsv: fc.array(fc.array(text, { maxLength: 4 }), { maxLength: 4 }),
  binary: fc.uint8Array(),
};

/** JSON and YAML have no negative zero. */
const withoutNegativeZero = (value: unknown): unknown => {
  if (Object.is(value, -0)) return 0;
  if (Array.isArray(value)) return value.map(withoutNegativeZero);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutNegativeZero(inner)]));
};

describe.each(Object.keys(resultTypes) as Name[])('%s', (name) => {
  const type = resultTypes[name];
  const structured = name === 'json' || name === 'yaml';

  test(
    'what fits is read back as it was',
    () => {
      let fitting = 0;
      fc.assert(
        fc.property(values[name], (value) => {
          if (type.problem(value) !== undefined) return;
          fitting++;
          const read = type.read(toBytes(type.print(value)));
          const same = structured
            ? isDeepStrictEqual(withoutNegativeZero(read), withoutNegativeZero(value))
            : isDeepStrictEqual(read, value);
          if (!same) expect(read).toEqual(value);
          expect(same).toBe(true);
        }),
        { numRuns: runs },
      );
      expect(fitting).toBeGreaterThan(runs / 10);
    },
    timeout,
  );

  test(
    'whatever the file holds, reading gives a value or says what is wrong',
    () => {
      fc.assert(
        fc.property(fc.oneof(fc.uint8Array({ maxLength: 50 }), text.map(toBytes)), (bytes) => {
          try {
            type.read(bytes);
          } catch (error) {
            expect((error as ColophonError).code).toBe('bad_result');
          }
        }),
        { numRuns: runs },
      );
    },
    timeout,
  );

  test('whatever is returned, the type says whether it fits', () => {
    const circle: unknown[] = [];
    circle.push({ circle });
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = [deep];
    const odd = [
      undefined,
      null,
      Number.NaN,
      1n,
      Symbol('x'),
      () => 1,
      new Date(0),
      new Map(),
      circle,
      deep,
      [undefined],
      [[1]],
      { a: { b: new Set() } },
    ];
    for (const value of odd) expect(['string', 'undefined']).toContain(typeof type.problem(value));
    if (structured) for (const value of odd.slice(2, 11)) expect(type.problem(value)).toMatch(/JSON can't hold/);
  });
});

test.each<[Name, unknown, RegExp]>([
  ['string', ' x', /white space around it/],
  ['text', 5, /number, not text/],
  ['text', '\ud800', /half a surrogate/],
  ['integer', 1.5, /1\.5, no integer/],
  ['integer', 2 ** 60, /no integer below 2\^53/],
  ['float', Number.NaN, /NaN, no finite number/],
  ['boolean', 'true', /neither true nor false/],
  ['array', ['a', 'b\nc'], /element 2 holds a line end/],
  ['array', ['a', 1], /element 2: it is a number/],
  ['tsv', [['a'], []], /row 2 has no cell/],
  ['tsv', [['a', 'b\tc']], /row 1: cell 2 holds a tab/],
  ['tsv', ['a'], /row 1: it is a string, not a list/],
  ['json', { when: [new Date(0)] }, /can't hold a Date at \.when\[0\]/],
  ['json', undefined, /can't hold undefined/],
  ['binary', 'x', /not bytes/],
])('%s: %j does not fit, and why', (name, value, reason) => {
  expect(resultTypes[name].problem(value)).toMatch(reason);
});

test.each<[Name, string, unknown]>([
  ['string', '  Hello Anna\n', 'Hello Anna'],
  ['text', ' a \n', ' a \n'],
  ['integer', '42\n', 42],
  ['integer', '3.7', 3],
  ['float', '1.0', 1],
  ['float', 'NaN', Number.NaN],
  ['boolean', 'yes', true],
  ['boolean', 'false\n', false],
  ['array', 'a\nb', ['a', 'b']],
  ['array', 'a\nb\n', ['a', 'b']],
  ['array', '', []],
  ['yaml', '---\na:\n- 1\n- 2\n', { a: [1, 2] }],
  [
    'tsv',
    '#Key\tA\nx\t1\n',
    [
      ['#Key', 'A'],
      ['x', '1'],
    ],
  ],
])('%s: what others wrote as %j is read', (name, file, value) => {
  expect(resultTypes[name].read(encoder.encode(file))).toEqual(value);
});

test('a shared part is printed where it stands', () => {
  const shared = { a: [1] };
  const value = { x: shared, y: shared };
  for (const type of [resultTypes.json, resultTypes.yaml]) expect(type.read(toBytes(type.print(value)))).toEqual(value);
});
