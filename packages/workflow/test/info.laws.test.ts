import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type JobInfo, parseInfo, printInfo, readException, toStoredException } from '@colophon/workflow';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printMarshal, Ruby } from './support/print-marshal.js';

const runs = process.env['COLOPHON_FUZZ'] === 'full' ? 100_000 : 3_000;
const timeout = 900_000;

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc
    .array(fc.constantFrom('"', '\\', ',', '{', '}', '[', ']', ':', '\n', 'a'), { maxLength: 6 })
    .map((signs) => signs.join('')),
);
const json = fc.jsonValue({ maxDepth: 2, stringUnit: 'binary' });
const time = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
const exception = fc
  .array(fc.record({ name: text, message: text, code: text, stack: text }, { requiredKeys: ['name', 'message'] }), {
    minLength: 1,
    maxLength: 4,
  })
  .map((chain) => chain.reduceRight<object | undefined>((cause, one) => (cause ? { ...one, cause } : one), undefined)!);
const known = fc.record(
  {
    ...{
      status: fc.constantFrom('waiting', 'start', 'done', 'shouting'),
      workflow: fc.constant('Kitchen'),
      type: fc.constant('json'),
    },
    ...{
      issued: time,
      start: time,
      end: time,
      time_elapsed: fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 }),
    },
    ...{
      pid: fc.integer({ min: 1 }),
      pid_hostname: text,
      inputs: fc.array(json),
      input_names: fc.array(fc.constantFrom('a', 'b')),
    },
    ...{ provided_inputs: fc.dictionary(text, json), non_default_inputs: fc.array(fc.constantFrom('a', 'b')) },
    ...{
      dependencies: fc.array(fc.constantFrom('/a/b', '/c')),
      messages: fc.array(text),
      backtrace: fc.array(text),
      exception,
    },
  },
  { requiredKeys: [] },
);
const info = fc
  .tuple(
    known,
    fc.dictionary(
      text.filter((key) => !/^[a-z_]+$/.test(key)),
      json,
      { maxKeys: 3 },
    ),
    fc.dictionary(fc.constantFrom('custom', 'phase'), json),
  )
  .map(([keys, odd, custom]) => ({ ...odd, ...keys, ...custom }) as unknown as JobInfo);

test(
  'what was written is read as it was, and printed again is the same text',
  () => {
    fc.assert(
      fc.property(info, (given) => {
        const printed = printInfo(given);
        const { info: read, warnings, broken } = parseInfo(printed);
        expect(warnings).toEqual([]);
        expect(broken).toBe(false);
        expect(printInfo(read)).toBe(printed);
      }),
      { numRuns: runs },
    );
  },
  timeout,
);

test(
  'a beginning of what was written gives what is complete in it, and a warning',
  () => {
    fc.assert(
      fc.property(info, fc.nat(), (given, place) => {
        const printed = printInfo(given);
        const cut = printed.slice(0, place % printed.length);
        const { info: read, warnings } = parseInfo(cut);
        expect(warnings).toHaveLength(1);
        const whole = parseInfo(printed).info;
        for (const [key, value] of Object.entries(read)) expect(value).toEqual(whole[key]);
        // A member is complete where the comma behind it is there.
        const keys = Object.keys(whole);
        const complete = keys.filter((_, index) => {
          const before = Object.fromEntries(keys.slice(0, index + 1).map((one) => [one, whole[one]]));
          return index < keys.length - 1 && printInfo(before).length <= cut.length;
        });
        expect(Object.keys(read)).toEqual(complete);
      }),
      { numRuns: runs / 3 },
    );
  },
  timeout,
);

const cases = fileURLToPath(new URL('../../../fixtures/jobs/', import.meta.url));
const infos = readdirSync(cases, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.info'))
  .map((name) => readFileSync(join(cases, name)));

test(
  'no bytes make it throw: noise, and real ones that are cut or spoiled',
  () => {
    const noise = fc.uint8Array({ maxLength: 60 });
    const dump = noise.map((bytes) => Uint8Array.from([4, 8, 0x7b, 9, ...bytes]));
    const spoiled = fc
      .tuple(fc.constantFrom(...infos), fc.nat(), fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }))
      .map(([bytes, end, changes]) => {
        const copy = Uint8Array.from(bytes.subarray(0, bytes.length === 0 ? 0 : (end % bytes.length) + 1));
        for (const [at, value] of changes) copy[at % copy.length] = value;
        return copy;
      });
    fc.assert(
      fc.property(fc.oneof(noise, dump, spoiled), (bytes) => {
        const { info: read, warnings, broken } = parseInfo(bytes);
        expect(JSON.parse(printInfo(read))).toBeTypeOf('object');
        if (broken) expect(warnings).not.toEqual([]);
        for (const { code, message, address } of warnings) expect(code && message && address).toBeTruthy();
      }),
      { numRuns: 3 * runs },
    );
  },
  timeout,
);

test(
  'what JSON can hold is read the same from a dump of Ruby',
  () => {
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        fc.string({ unit: 'grapheme', maxLength: 5 }),
        fc.constantFrom('same', null, true, false),
        fc.integer({ min: -(2 ** 30) + 1, max: 2 ** 30 - 1 }),
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number || 0),
        fc.array(tie('value'), { maxLength: 4 }),
        fc.dictionary(fc.string({ maxLength: 4 }), tie('value'), { maxKeys: 4 }),
      ),
    })).value;
    const date = fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(date, fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'custom'), value), (start, custom) => {
        const bytes = printMarshal({
          status: new Ruby('symbol', 'done'),
          start: new Ruby('time', start),
          custom,
          again: custom,
          zone: 'UTC',
        });
        const { info: read, warnings } = parseInfo(bytes);
        expect(warnings).toEqual([]);
        const expected = { status: 'done', start: start.toISOString(), custom, again: custom, zone: 'UTC' };
        expect(read).toEqual(expected);
      }),
      { numRuns: runs },
    );
  },
  timeout,
);

test('a dump that says more than it holds costs no more than its bytes', () => {
  const huge = [2, 255, 255];
  const lists = Array.from({ length: 50 }, () => [0x5b, ...huge]).flat();
  // Lists of ten links to the list before: each level is ten times as heavy.
  const bomb = [0x5b, 15, 0x5b, 5 + 10, ...Array(10).fill([0x69, 6]).flat()];
  for (let level = 0; level < 9; level++)
    bomb.push(
      0x5b,
      5 + 10,
      ...Array(10)
        .fill([0x40, 5 + 2 + level])
        .flat(),
    );
  const circle = [0x5b, 6, 0x40, 6];
  const deep = Array(100_000).fill([0x5b, 6]).flat();
  for (const body of [
    lists,
    bomb,
    circle,
    deep,
    [0x22, 4, 255, 255, 255, 127],
    [0x22, 0xff, 0],
    [0x6c, 0x2b, 4, 255, 255, 255, 127],
  ]) {
    const { info: read, warnings } = parseInfo(Uint8Array.from([4, 8, 0x7b, 6, 0x3a, 6, 0x61, ...body]));
    expect(warnings.map(({ code }) => code)).toEqual(['info_partial']);
    expect(read).toEqual({});
  }
});

test('whatever is thrown is stored as plain JSON, and read back as it was stored', () => {
  const circle = new Error('round');
  circle.cause = circle;
  const trap = new Proxy(
    {},
    {
      get: () => {
        throw new Error('no');
      },
    },
  );
  const odd = [
    undefined,
    null,
    5,
    'text',
    Symbol('s'),
    1n,
    {},
    { message: 'plain' },
    { name: 5, message: {} },
    [1],
    () => 1,
    circle,
    trap,
    Object.create(null),
  ];
  fc.assert(
    fc.property(
      fc.oneof(
        fc.constantFrom<unknown>(...odd),
        fc.anything(),
        text.map((message) => new Error(message, { cause: new TypeError('inner') })),
      ),
      (thrown) => {
        const stored = toStoredException(thrown);
        expect(typeof stored.name).toBe('string');
        expect(typeof stored.message).toBe('string');
        expect(readException(JSON.parse(JSON.stringify(stored)))).toEqual(stored);
      },
    ),
    { numRuns: runs },
  );
  expect(toStoredException(Object.assign(new TypeError('broken'), { code: 'x', cause: 'why' }))).toMatchObject({
    name: 'TypeError',
    message: 'broken',
    code: 'x',
    cause: { name: 'Error', message: 'why' },
  });
});

test('values nested without end, and a mark of the order of bytes, are no obstacle', () => {
  const nested = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
  for (const key of ['messages', 'backtrace', 'inputs', 'dependencies', 'exception', 'status', 'other']) {
    const { info, broken } = parseInfo(`{"${key}":[${nested}],"pid_hostname":"h"}`);
    expect([info.pid_hostname, broken]).toEqual(['h', false]);
  }
  expect(parseInfo('\uFEFF{"status":"done"}')).toEqual({ info: { status: 'done' }, warnings: [], broken: false });
});
