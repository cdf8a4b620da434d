import { type Meta, parseMeta, printMeta } from '@colophon/chat-format';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const runs = process.env['COLOPHON_FUZZ'] === 'full' ? 100_000 : 3_000;
const timeout = 900_000;

const nasty = fc.constantFrom(
  ...[
    '=',
    '"',
    '\\',
    '\n',
    '\r',
    '\t',
    ' ',
    '\0',
    '\v',
    '\f',
    '\u0085',
    '\u2028',
    '\ufeff',
    'a=b',
    ' c=d',
    '" e=',
    '\\n',
    '\\"',
  ],
  ...['key', '1', '-2.5', '1e21', '007', 'é', '𝒳', '数据', '__proto__=', 'user: x', '```', ''],
);
const text = fc.oneof(
  fc.array(nasty, { maxLength: 8 }).map((parts) => parts.join('')),
  fc.string(),
  fc.string({ unit: 'binary' }),
);
const number = fc
  .oneof(
    fc.maxSafeInteger(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(0, -1, 0.1, 5e-324, 1e-7, -0.5),
  )
  .filter((value) => !Object.is(value, -0) && (Number.isSafeInteger(value) || !Number.isInteger(value)));
const key = fc.oneof(
  fc.constantFrom('pt', 'tt_c', 'reas', 'inference_id', '__proto__', 'constructor', '7', '_'),
  fc.stringMatching(/^\w{1,8}$/),
);
const meta: fc.Arbitrary<Meta> = fc
  .array(fc.tuple(key, fc.oneof(text, number)), { maxLength: 8 })
  .map((fields) => Object.fromEntries(fields));

test('what is printed reads back as it was, on one line', { timeout }, () => {
  fc.assert(
    fc.property(meta, (fields) => {
      const printed = printMeta(fields);
      expect(new Map(Object.entries(parseMeta(printed)))).toEqual(new Map(Object.entries(fields)));
      expect(printed).not.toMatch(/[\n\r]/);
      // The chat format trims messages; a record must not depend on it.
      expect(printed).toBe(printed.replace(/^[ \t\r\n\v\f\0]+|[ \t\r\n\v\f\0]+$/g, ''));
    }),
    { numRuns: runs },
  );
});

test('reading never throws, and what was read can be printed and is read as the same', { timeout }, () => {
  fc.assert(
    fc.property(text, (line) => {
      const read = parseMeta(line);
      expect(parseMeta(printMeta(read))).toEqual(read);
    }),
    { numRuns: runs },
  );
});
