import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findAskBlocks, insertAnswer, unfence } from '../src/ask-blocks.js';

const runs = process.env['COLOPHON_FUZZ'] === 'full' ? 100_000 : 3_000;

describe('questions in comments', () => {
  it.each(['#', '//', '--', ';', ';;', '%', '##'])('are found behind %s', (leader) => {
    const text = `x = 1\n  ${leader} ask: what is x?\n  ${leader} be short\ny = 2\n`;
    expect(findAskBlocks(text, 'f')).toEqual([
      { start: 1, end: 3, indent: '  ', leader, question: 'what is x?\nbe short', answered: false },
    ]);
  });

  it('are answered once their answer stands below', () => {
    const text = '# ask: one\n# ask: two\ncode\n';
    const first = insertAnswer(text, findAskBlocks(text, 'f')[0]!, 'ONE\n# ask: three');
    expect(first).toBe('# ask: one\n# Response start\nONE\n# ask: three\n# Response end\n# ask: two\ncode\n');
    expect(findAskBlocks(first, 'f').map(({ question, answered }) => [question, answered])).toEqual([
      ['one', true],
      ['two', false],
    ]);
  });

  it('keep the line ends of the file', () => {
    const text = '// ask: one\r\ncode\r\n';
    expect(insertAnswer(text, findAskBlocks(text, 'f')[0]!, 'a\nb')).toBe(
      '// ask: one\r\n// Response start\r\na\r\nb\r\n// Response end\r\ncode\r\n',
    );
  });

  it('say where an answer has no end', () => {
    expect(() => findAskBlocks('a\n# ask: one\n# Response start\nONE\n', 'f.py')).toThrow(/^f\.py:3: .*# Response end/);
  });

  it('lose only a fence that encloses the whole answer', () => {
    expect(unfence('```python\nx = 1\n```')).toBe('x = 1');
    expect(unfence('see:\n```\nx\n```')).toBe('see:\n```\nx\n```');
    expect(unfence('```\na\n```\nand\n```\nb\n```')).toBe('```\na\n```\nand\n```\nb\n```');
  });

  const lines = fc.array(
    fc.constantFrom(
      '# ask: q',
      '// ask: r',
      '# Response end',
      '# Response start',
      '# more',
      '-- ask:',
      'code',
      '',
      '  # ask: s',
      '// Response end',
    ),
    { maxLength: 12 },
  );

  it('stay answered, one by one, whatever the answers hold', () => {
    fc.assert(
      fc.property(lines, lines, (file, answer) => {
        let text = file.join('\n');
        let blocks: ReturnType<typeof findAskBlocks>;
        try {
          blocks = findAskBlocks(text, 'f');
        } catch {
          return;
        }
        const count = blocks.length;
        for (let open = blocks.findIndex(({ answered }) => !answered); open >= 0; ) {
          text = insertAnswer(text, blocks[open]!, answer.join('\n'));
          blocks = findAskBlocks(text, 'f');
          expect(blocks).toHaveLength(count);
          expect(blocks[open]!.answered).toBe(true);
          open = blocks.findIndex(({ answered }) => !answered);
        }
      }),
      { numRuns: runs },
    );
  });
});
