import { checkChat, fixChat, parseChat, roles } from '@colophon/chat-format';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { naiveParse } from './support/naive-reader.js';
import { nastyText, patience, runs } from './support/nasty.js';

vi.setConfig({ testTimeout: patience });

/** Nasty text between lines of prose, as `else:` stands in code that nobody fenced. */
const handWritten = fc
  .array(fc.oneof(nastyText(4), fc.constantFrom('some text', 'else:', 'user:', 'try: x', 'meta: pt=1', '')), {
    maxLength: 6,
  })
  .map((parts) => parts.join('\n'));

const known = (role: string) => Object.hasOwn(roles, role);

describe('the laws of checking', () => {
  it('fixing keeps every message that stands under the header of a known role: its place, its role, its text', () => {
    fc.assert(
      fc.property(handWritten, (text) => {
        const lines = text.replace(/^\ufeff/, '').split('\n');
        const before = parseChat(text, { file: 'x' });
        const after = parseChat(fixChat(text), { file: 'x' });
        for (const { role, content, at } of before) {
          const line = lines[at!.line - 1]!;
          // Text without a header of its own may begin with a command, which looks like one.
          if (!known(role) || !line.startsWith(`${role}:`) || line.includes(':--')) continue;
          const same = after.find((message) => message.at!.line === at!.line);
          expect(same?.role).toBe(role);
          expect(same?.content.startsWith(content)).toBe(true);
        }
      }),
      { numRuns: runs },
    );
  });

  it('fixing only puts backslashes before lines, and leaves nothing to fix', () => {
    fc.assert(
      fc.property(handWritten, (text) => {
        const fixed = fixChat(text);
        const changed = fixed.split('\n').filter((line, index) => line !== text.split('\n')[index]);
        expect(changed.every((line) => /^\\[a-z][a-z0-9_]*:/.test(line))).toBe(true);
        expect(
          fixed
            .split('\n')
            .map((line, index) => (line === text.split('\n')[index] ? line : line.slice(1)))
            .join('\n'),
        ).toBe(text);
        expect(fixChat(fixed)).toBe(fixed);
        expect(changed.length).toBe(checkChat(text).filter(({ fix }) => fix !== undefined).length);
      }),
      { numRuns: runs },
    );
  });

  it('reports lines that exist, in their order, and unknown roles as they are read', () => {
    fc.assert(
      fc.property(handWritten, (text) => {
        const problems = checkChat(text, { file: 'a.chat' });
        const lines = problems.map(({ line }) => line);
        expect(lines).toEqual(lines.toSorted((a, b) => a - b));
        expect(lines.every((line) => line >= 1 && line <= text.split('\n').length)).toBe(true);
        expect(problems.every(({ file }) => file === 'a.chat')).toBe(true);
        const unknown = parseChat(text, { file: 'x' })
          .filter(({ role }) => !known(role))
          .map(({ at }) => at!.line);
        const reported = problems.filter(({ code }) => code === 'unknown_role').map(({ line }) => line);
        // A block with nothing in it is dropped by the reader, and still told.
        expect(reported).toEqual(expect.arrayContaining(unknown));
      }),
      { numRuns: runs },
    );
  });

  it('tells of every open block: with none, no text that follows changes what was read', () => {
    const closers = '\n`````````\nx]]\nuser: x\ny]]\nx:-- }}}\n</a></b></b.c:d-e></aa>\n</a>\n</a>\n</a>\nuser: end';
    fc.assert(
      fc.property(nastyText(10), (text) => {
        fc.pre(!text.includes('\r') && !checkChat(text).some(({ code }) => code === 'open_block'));
        const read = naiveParse(`${text}\nuser: next`);
        const longer = naiveParse(`${text}\nuser: next${closers}`).slice(0, read.length);
        expect(JSON.stringify(longer)).toBe(JSON.stringify(read));
      }),
      { numRuns: runs },
    );
  });
});
