import { parseChat, printChat } from '@colophon/chat-format';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { naiveParse } from './support/naive-reader.js';
import { anyRole, nastyChat, nastyContent, nastyText, patience, runs } from './support/nasty.js';

vi.setConfig({ testTimeout: patience });

/** Messages that would close whatever a content before them leaves open. */
const closers = ['`````````', 'x]]', ':-- }}}', ...Array(40).fill('</a></b></b.c:d-e></aa>')]
  .map((line) => `\n\nuser:\n\n${line}`)
  .join('');

const settings = { numRuns: runs };

describe('the laws of chat text', () => {
  it('is lossless: what is printed reads back as the same messages', () => {
    fc.assert(
      fc.property(nastyChat, (chat) => {
        expect(parseChat(printChat(chat))).toEqual(chat);
        expect(parseChat(`${printChat(chat)}\n`)).toEqual(chat);
      }),
      settings,
    );
  });

  it('is inert: no content makes another message, wherever it stands in a chat', () => {
    fc.assert(
      fc.property(nastyContent, anyRole, anyRole, (content, role, other) => {
        const chat = [
          { role: other, content: 'before' },
          { role, content },
          { role: other, content: '```\nafter\n```\n</a>\n</b>]]\n:-- }}}\n]]' },
        ];
        expect(parseChat(printChat(chat)).map((message) => message.role)).toEqual([other, role, other]);
      }),
      settings,
    );
  });

  it('prints what it reads as text that prints the same again', () => {
    fc.assert(
      fc.property(nastyText(12), (text) => {
        const chat = parseChat(text.toWellFormed());
        const printed = printChat(chat);
        expect(parseChat(printed)).toEqual(chat);
        expect(printChat(parseChat(printed))).toBe(printed);
      }),
      settings,
    );
  });

  it('reads any text as the line table says', () => {
    fc.assert(
      fc.property(nastyText(14), fc.constantFrom('user', 'system', 'clear'), fc.boolean(), (text, role, marked) => {
        const source = marked ? `\ufeff${text}` : text;
        expect(parseChat(source, { role })).toEqual(naiveParse(source, role));
      }),
      settings,
    );
  });

  it('needs every backslash that it prints', () => {
    fc.assert(
      fc.property(nastyContent, (content) => {
        const printed = printChat([{ role: 'user', content }]);
        const lines = printed.split('\n');
        for (const [index, line] of lines.entries()) {
          if (!line.startsWith('\\') || line === '\\&') continue;
          const bare = lines.with(index, line.slice(1)).join('\n');
          expect(JSON.stringify(parseChat(bare + closers)) === JSON.stringify(parseChat(printed + closers))).toBe(
            false,
          );
        }
      }),
      settings,
    );
  });
});
