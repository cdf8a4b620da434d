import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseAddress, printAddress } from '../src/address.js';
import { takePage } from '../src/pages.js';
import { characters, fingerprint, headOf, tailOf } from '../src/text.js';

const runs = process.env['COLOPHON_FUZZ'] === 'full' ? 100_000 : 2_000;

const path = fc
  .array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 4 })
  .map((parts) => `/${parts.join('/')}`);

describe('addresses', () => {
  test('are read as they were printed, short and long', () => {
    fc.assert(
      fc.property(path, fc.nat(), fc.option(path, { nil: undefined }), (file, index, home) => {
        const printed = printAddress(file, index, home);
        expect(parseAddress(printed, home)).toEqual({ path: file, index });
        expect(parseAddress(`${file}#${index}`, home)).toEqual({ path: file, index });
      }),
      { numRuns: runs },
    );
  });

  test.each(['', 'a.chat', 'a.chat#', '#3', 'a.chat#x', 'a.chat#1[meta,0]', `a.chat#${'9'.repeat(30)}`])(
    'that name no message are told: %j',
    (text) => {
      expect(() => parseAddress(text, undefined)).toThrow(/path#index/);
    },
  );
});

describe('pages', () => {
  test('put together are the list, and tell the truth of it', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 60 }), fc.integer({ min: 1, max: 9 }), (list, size) => {
        const first = takePage(list, { per_page: size });
        const pages = first.facts.total_pages!;
        const all = Array.from({ length: pages }, (_, index) => takePage(list, { page: index + 1, per_page: size }));
        expect(all.flatMap(({ items }) => items)).toEqual(list);
        expect(all.map(({ facts }) => facts.next_page)).toEqual(
          all.map((_, index) => (index + 1 < pages ? index + 2 : undefined)),
        );
        expect(first.facts).toMatchObject({ page: 1, per_page: size, total: list.length });
        expect(takePage(list, { page: -3, per_page: size }).items).toEqual(first.items);
        expect(takePage(list, {})).toEqual({ items: list, facts: {} });
      }),
      { numRuns: runs },
    );
  });
});

describe('cut texts', () => {
  test('count and cut at code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat({ max: 40 }), (text, count) => {
        const points = [...text];
        expect(characters(text)).toBe(points.length);
        expect(headOf(text, count)).toBe(points.slice(0, count).join(''));
        expect(tailOf(text, count)).toBe(count === 0 ? '' : points.slice(-count).join(''));
      }),
      { numRuns: runs },
    );
  });

  test('are short, and tell texts apart that begin and end alike', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 200, maxLength: 400 }), fc.string({ minLength: 1 }), (text, more) => {
        const other = text.slice(0, 100) + more + text.slice(100);
        expect(characters(fingerprint(text))).toBeLessThanOrEqual(160);
        expect(fingerprint(text)).not.toBe(fingerprint(other));
      }),
      { numRuns: runs },
    );
    expect(fingerprint('short')).toBe('short');
  });
});
