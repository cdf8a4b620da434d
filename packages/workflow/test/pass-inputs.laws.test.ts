import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '@colophon/workflow';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';

// Each run starts a process.
const numRuns = process.env['COLOPHON_FUZZ'] === 'full' ? 5_000 : 150;
const place = realpathSync(mkdtempSync(join(tmpdir(), 'hostile-')));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const hostile = [
  '$(touch owned)',
  '`touch owned`',
  '; touch owned;',
  '| touch owned',
  '&& touch owned',
  '\n touch owned\n',
  '"',
  "'",
  '\\',
  '$IFS',
  '$HOME',
  '*',
  '~',
  '> owned',
  '--',
  '-rf',
  '--name',
  '=',
  '$@',
  '%s',
  '%n',
  '\u0000',
  '\r',
  'é',
  '\ud800',
  '#',
  '!!',
  '\t',
  '',
];
const values = fc.oneof(
  fc.array(fc.constantFrom(...hostile), { maxLength: 5 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 30 }),
);
// What an operating system takes as a word: UTF-8 without NUL.
const asWord = (value: string): string => Buffer.from(value).toString();

/** Tells the words and the variable it got, each ended by NUL. */
const teller = 'printf "%s\\0" "$NAME" "$@"';

describe('a value, whatever it is,', () => {
  test('arrives as it is, as one value of its input, and runs nothing', async () => {
    await fc.assert(
      fc.asyncProperty(values, values, async (name, other) => {
        const inputs = { name, other };
        const passing = { name: 'environment', other: 'flag' } as const;
        const options = { workingDirectory: place };
        const attempt = runCommand({ script: teller, passing }, inputs, options);
        if (`${name}${other}`.includes('\0')) {
          await expect(attempt).rejects.toMatchObject({ code: 'command_input' });
          return;
        }
        const flag = other.startsWith('-') ? [`--other=${asWord(other)}`] : ['--other', asWord(other)];
        const viaShell = Buffer.from((await attempt).output!)
          .toString()
          .split('\0')
          .slice(0, -1);
        expect(viaShell).toEqual([asWord(name), ...flag]);
        const argv = ['printf', '%s\\0'];
        const direct = await runCommand({ argv, passing: { name: 'environment' } }, inputs, options);
        expect(Buffer.from(direct.output!).toString().split('\0').slice(0, -1)).toEqual(flag);
        const piped = await runCommand({ argv: ['cat'], passing: { name: 'stdin' } }, { name }, options);
        expect(Buffer.from(piped.output!).toString()).toBe(asWord(name));
        expect(readdirSync(place)).toEqual([]);
      }),
      { numRuns },
    );
  }, 120_000);
});
