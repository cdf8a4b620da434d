import { type FenceLines, fenceAfter, fenceLines } from './fence-lines.js';
import type { Opener } from './line-syntax.js';
import { lineEnd, lineStart, type Seeker, seek, seeker } from './seek.js';
import { tagPairs } from './tag-pairs.js';
import { trimWhite } from './white-space.js';

/** What is known of the lines of a text that close blocks; the indexes are built when first needed. */
export type ClosingLines = {
  readonly text: string;
  readonly marker: Seeker;
  readonly braces: Seeker;
  /** The last answers: the next line for all openers between the one asked for and the answer. */
  bracket: { asked: number; hit: number };
  command: { asked: number; hit: number };
  fences: FenceLines | undefined;
  tags: Map<number, number> | undefined;
};

/** Makes the closing lines of one text. */
export const closingLines = (text: string): ClosingLines => ({
  text,
  marker: seeker(text, ':--'),
  braces: seeker(text, '}}}'),
  bracket: { asked: 0, hit: -1 },
  command: { asked: 0, hit: -1 },
  fences: undefined,
  tags: undefined,
});

/**
 * Start of the line that closes what the line `[start, end)` opens, or the text's length where none does. Ask for
 * lines in rising order: all questions then cost one pass over the text together.
 */
export const closingLine = (lines: ClosingLines, opener: Opener, start: number, end: number, ticks: number): number => {
  const { text } = lines;
  const from = end + 1;
  if (from >= text.length) return text.length;
  if (opener === 'fence') {
    lines.fences ??= fenceLines(text, from);
    return fenceAfter(lines.fences, from, ticks) ?? text.length;
  }
  if (opener === 'tag') {
    lines.tags ??= tagPairs(text, start);
    return lines.tags.size === 0 ? text.length : (lines.tags.get(start) ?? text.length);
  }
  const last = lines[opener];
  if (from < last.asked || from > last.hit) {
    last.asked = from;
    last.hit = opener === 'command' ? commandEnd(lines, from) : bracketEnd(text, from);
  }
  return last.hit;
};

/** The next line that ends with `]]`. */
const bracketEnd = (text: string, from: number) => {
  for (let at = text.indexOf(']]', from); at >= 0; ) {
    const end = lineEnd(text, at);
    if (text.startsWith(']]', trimWhite(text, at, end) - 2)) return lineStart(text, at);
    at = text.indexOf(']]', end);
  }
  return text.length;
};

/** The next line that holds `:--` and, behind it, ` }}}`. */
const commandEnd = ({ text, marker, braces }: ClosingLines, from: number) => {
  for (let at = seek(marker, from); at < text.length; ) {
    const end = lineEnd(text, at);
    let brace = seek(braces, at + 4);
    while (brace < end && text.charCodeAt(brace - 1) !== 32) brace = seek(braces, brace + 1);
    if (brace < end) return lineStart(text, at);
    at = seek(marker, end);
  }
  return text.length;
};
