import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseChat } from '@colophon/chat-format';
import { appendMessages, openAppender } from '@colophon/chat-format/node';
import fc from 'fast-check';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { nastyChat, nastyText, patience, runs } from './support/nasty.js';

vi.setConfig({ testTimeout: patience });

// Files in memory where there are such: the laws are about texts, and every append waits for the disk.
const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'colophon-append-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'a.chat');

const read = () => readFileSync(file, 'utf8');
const plain = (text: string) => parseChat(text).map(({ role, content }) => ({ role, content }));

/** What a file may hold before: nasty text, cut off anywhere, or within a character. */
const oldBytes = fc
  .tuple(
    fc.oneof(nastyText(12), fc.constantFrom('', '\n', '\r', 'a\r\nb\r', '\ufeff', 'user:\n', 'clear:\r\n', '```', 'é')),
    fc.constantFrom('', '', '', 'é', '数', '😀', '\r', '\\'),
    fc.nat(3),
  )
  .map(([text, tail, cut]) => {
    const end = Buffer.from(tail);
    return Buffer.concat([Buffer.from(text.toWellFormed()), end.subarray(0, Math.max(1, end.length - cut))]);
  });

type Step =
  | { kind: 'remembered' | 'once'; chat: { role: string; content: string }[] }
  | { kind: 'other'; text: string };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: nastyChat.map((chat): Step => ({ kind: 'remembered', chat })) },
  { weight: 1, arbitrary: nastyChat.map((chat): Step => ({ kind: 'once', chat })) },
  { weight: 1, arbitrary: nastyText(4).map((text): Step => ({ kind: 'other', text: text.toWellFormed() })) },
);

describe('the laws of appending', () => {
  it('reads as what was there, then what is new, whatever was there and whoever writes in between', async () => {
    await fc.assert(
      fc.asyncProperty(oldBytes, fc.array(step, { minLength: 1, maxLength: 5 }), async (old, steps) => {
        writeFileSync(file, old);
        const appender = await openAppender(file);
        for (const todo of steps) {
          const before = read();
          if (todo.kind === 'other') {
            writeFileSync(file, before + todo.text);
            continue;
          }
          if (todo.kind === 'remembered') await appender.append(todo.chat);
          else await appendMessages(file, todo.chat);
          expect(plain(read())).toEqual([...plain(before), ...todo.chat]);
        }
        expect(readdirSync(folder)).toEqual(['a.chat']);
      }),
      { numRuns: runs / 10 },
    );
  });

  it('leaves every byte that was there, where no block stands open', async () => {
    await fc.assert(
      fc.asyncProperty(nastyChat, nastyChat, fc.boolean(), async (first, second, windows) => {
        const text = `${first.map(({ role }) => `${role}:\n\nsome text\n`).join('\n')}`;
        const before = windows ? text.replaceAll('\n', '\r\n') : text;
        writeFileSync(file, before);
        await appendMessages(file, second);
        expect(read().startsWith(before)).toBe(true);
        expect(/[^\r]\n/.test(read()) && windows && before !== '').toBe(false);
      }),
      { numRuns: runs / 10 },
    );
  });
});
