import { isDeepStrictEqual } from 'node:util';
import { type InputsLine, parseInputsLine, printInputsLine } from '@colophon/chat-compile';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const runs = process.env['COLOPHON_FUZZ'] === 'full' ? 100_000 : 3_000;
const timeout = 900_000;

/** Text of the pieces that a line is made of, so that every rule of the grammar is met. */
const nasty = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '"',
        "'",
        '\\',
        '\n',
        '\r',
        '\t',
        ' ',
        ',',
        '=',
        ':',
        '[',
        ']',
        '{',
        '}',
        '.',
        '-',
        '0',
        '7',
        '\u2028',
        '\u00a0',
        '\ud800',
        '\u0000',
      ),
      fc.constantFrom('true', 'nil', 'null', '1e5', '12', ':sym', 'jobname', '\\n', '\\"', '\\u0041', 'assistant: x'),
      fc.string({ unit: 'binary', maxLength: 3 }),
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''));

// JSON has no `-0`, so neither have values inside arrays and objects.
const json = fc
  .oneof(fc.jsonValue(), fc.array(nasty, { maxLength: 3 }), fc.dictionary(nasty, nasty, { maxKeys: 3 }))
  .map((value): unknown => JSON.parse(JSON.stringify(value)));
const number = fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.maxSafeInteger());
const value = fc.oneof(nasty, fc.string({ unit: 'binary' }), number, fc.boolean(), fc.constant(null), json);
const key = fc.oneof(fc.constantFrom('a', 'n-o', 'x.y', 'jobname', '__proto__', 'constructor', ''), nasty);
const name = nasty.filter((text) => text !== '');

const line: fc.Arbitrary<InputsLine> = fc
  .record(
    {
      workflow: fc.oneof(fc.constantFrom('Kitchen', './my workflow', 'A=B'), name),
      task: fc.oneof(fc.constantFrom('bake', 'a=b'), name),
      inputs: fc.array(fc.tuple(key, value), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
      name: nasty,
    },
    { requiredKeys: ['workflow', 'task', 'inputs'], noNullPrototype: true },
  )
  .map((record) => record as InputsLine);

const same = (text: string, expected: InputsLine) => {
  const parsed = parseInputsLine(text);
  if (!isDeepStrictEqual(parsed, expected)) expect(parsed).toEqual(expected);
};

test(
  'a printed line reads back as what was printed',
  () => {
    fc.assert(
      fc.property(line, (given) => same(printInputsLine(given), given)),
      { numRuns: runs },
    );
  },
  timeout,
);

test(
  'a line that can be read keeps its meaning when it is printed, and is one line then',
  () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(nasty, nasty), { maxLength: 4 }), (pairs) => {
        const text = `Kitchen bake ${pairs.map(([key, value]) => `${key}=${value}`).join(' ')}`;
        let parsed: InputsLine;
        try {
          parsed = parseInputsLine(text);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_inputs' });
          return;
        }
        const printed = printInputsLine(parsed);
        expect(printed).not.toContain('\n');
        same(printed, parsed);
      }),
      { numRuns: runs },
    );
  },
  timeout,
);
