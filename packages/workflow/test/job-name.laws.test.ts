import { isPlainName, jobName, sanitizeName } from '@colophon/workflow';
import fc from 'fast-check';
import { expect, test } from 'vitest';

const runs = process.env['COLOPHON_FUZZ'] === 'full' ? 100_000 : 3_000;
const timeout = 900_000;

const part = fc.constantFrom(
  ...[
    'a',
    'B',
    'Ä',
    'A\u0308',
    '数',
    '👩‍👩‍👧',
    '\ud83d',
    '/',
    '\\',
    '..',
    '.',
    ' ',
    '~',
    '_',
    '-',
    '\0',
    '\n',
    '\u2028',
    '\u200e',
  ],
  ...[
    '.info',
    '.INFO',
    '.files',
    '.lock',
    '.json',
    `_${'0123456789abcdef'.repeat(2)}`,
    'x'.repeat(70),
    '数'.repeat(40),
  ],
);
const name = fc.oneof(
  fc.array(part, { maxLength: 6 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 200 }),
);

test(
  'a name is one path segment that is no file beside a job, and has room for what is added',
  () => {
    fc.assert(
      fc.property(name, (given) => {
        const safe = sanitizeName(given);
        expect(isPlainName(safe)).toBe(true);
        expect(safe).toMatch(/^[^./\s][^/\\]*$/u);
        expect(safe).not.toMatch(/\.\.|\.(?:info|files|lock)$|_[0-9a-z]{32}(?:\.[a-z0-9]*)?$|[. ]$|[\p{Cc}\p{Cs}]/iu);
        expect(safe.length).toBeLessThanOrEqual(150);
        const longest = `.${jobName(given, 'f'.repeat(32), '.extension0123456')}.info.${'f'.repeat(36)}.tmp`;
        expect(Buffer.byteLength(longest)).toBeLessThanOrEqual(255);
      }),
      { numRuns: runs },
    );
  },
  timeout,
);

test(
  'made safe twice is made safe once',
  () => {
    fc.assert(
      fc.property(name, (given) => {
        expect(sanitizeName(sanitizeName(given))).toBe(sanitizeName(given));
      }),
      { numRuns: runs },
    );
  },
  timeout,
);

test(
  'no two names meet',
  () => {
    const seen = new Map<string, string>();
    fc.assert(
      fc.property(name, (given) => {
        const safe = sanitizeName(given);
        const other = seen.get(safe);
        // A name that is written as the changed form of another one leads to the same job on purpose.
        if (other !== undefined && other !== safe && given !== safe) expect(other).toBe(given);
        seen.set(safe, given);
      }),
      { numRuns: 3 * runs },
    );
  },
  timeout,
);

test('a plain name stays as it is', () => {
  for (const plain of [
    'Default',
    'sunday',
    'v1.2',
    'What is it?',
    'Straße 数据',
    'a b',
    'x~y',
    'UPPER',
    'a_b',
    'x'.repeat(150),
  ])
    expect(sanitizeName(plain)).toBe(plain);
});

test.each([
  ['../../etc/passwd', /^_______etc_passwd~[0-9a-f]{12}$|^_[^/]*etc_passwd~[0-9a-f]{12}$/],
  ['', /^~[0-9a-f]{12}$/],
  ['.hidden', /^_hidden~[0-9a-f]{12}$/],
  ['x.info', /^x\.info~[0-9a-f]{12}$/],
  ['x'.repeat(151), /^x{137}~[0-9a-f]{12}$/],
  ['数'.repeat(60), /^数{45}~[0-9a-f]{12}$/],
  ['trailing ', /^trailing ~[0-9a-f]{12}$/],
  [`x_${'a1'.repeat(16)}`, /^x_(?:a1){16}~[0-9a-f]{12}$/],
])('%j is changed, and keeps what can be read', (given, form) => {
  expect(sanitizeName(given)).toMatch(form);
});

test('the digest and the extension stand behind the name', () => {
  expect(jobName('sunday', undefined, '.json')).toBe('sunday.json');
  expect(jobName('sunday', 'ab'.repeat(16), '')).toBe(`sunday_${'ab'.repeat(16)}`);
});
