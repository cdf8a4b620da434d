import { type ClosingLines, closingLine, closingLines } from './closing-lines.js';
import {
  headerColon,
  isCommand,
  isGuarded,
  type LineSyntax,
  lineSyntax,
  type Opener,
  openerOf,
} from './line-syntax.js';
import { lineEnd } from './seek.js';

/**
 * What a line is, where it is not plain content. `open` is a line that looks like an opener but opens nothing: content,
 * as long as no text comes behind it that closes it.
 */
export type LineKind = 'header' | 'escape' | 'mark' | Opener | 'open';

/** A walk over the lines of a text that are more than plain content. All places are offsets in that text. */
export type LineScan = {
  readonly text: string;
  /** What the line found last is, and where: `[start, end)`, its `\n` at `end` unless the text ends there. */
  kind: LineKind;
  start: number;
  end: number;
  /** Place of a header's colon. */
  colon: number;
  /** The line that closes a block. */
  closeStart: number;
  closeEnd: number;

  readonly printing: boolean;
  readonly syntax: LineSyntax;
  /** The syntax for looking into bracket blocks, where the walk does not follow. */
  readonly ahead: LineSyntax;
  readonly closing: ClosingLines;
  at: number;
  /** First line known to mean something inside of the bracket block that `at` may stand in. */
  special: number;
};

/**
 * Starts the one scanner of chat text, for the reader and the printer; `nextLine` does the steps. All of them together
 * cost one pass over the text, whatever that holds.
 *
 * For the printer (`printing`) the text is one content, with other text to follow. A block then counts only where it is
 * closed here and reads back as it stands; command and bracket blocks do not, so their openers are `open`.
 */
export const scanLines = (text: string, printing = false): LineScan => {
  const syntax = lineSyntax(text);
  return {
    text,
    kind: 'open',
    start: 0,
    end: 0,
    colon: 0,
    closeStart: 0,
    closeEnd: 0,
    printing,
    syntax,
    ahead: printing ? lineSyntax(text) : syntax,
    closing: closingLines(text),
    at: 0,
    special: -1,
  };
};

const LETTER = 1;
const OPENING = 2;
const BACKSLASH = 3;

/** What the first character of a line can lead to; all others lead to nothing but a command. */
const leads = new Uint8Array(65_536);
leads.fill(LETTER, 97, 123);
for (const character of '\0\t\v\f\r <[`') leads[character.charCodeAt(0)] = OPENING;
leads[92] = BACKSLASH;

/** Goes to the next line that is more than plain content; false at the end of the text. */
export const nextLine = (scan: LineScan): boolean => {
  const { text, syntax } = scan;
  while (scan.at < text.length) {
    const start = scan.at;
    const end = lineEnd(text, start);
    const lead = leads[text.charCodeAt(start)]!;
    scan.at = end + 1;
    scan.start = start;
    scan.end = end;
    if (lead === BACKSLASH) {
      if (!isGuarded(syntax, start, end)) continue;
      // \&
      scan.kind = end === start + 2 && text.charCodeAt(start + 1) === 38 ? 'mark' : 'escape';
    } else {
      const opener =
        lead === OPENING ? openerOf(syntax, start, end) : isCommand(syntax, start, end) ? 'command' : undefined;
      if (opener !== undefined) {
        if (!findBlock(scan, opener)) continue;
      } else {
        scan.colon = lead === LETTER ? headerColon(text, start) : -1;
        if (scan.colon < 0) continue;
        scan.kind = 'header';
      }
    }
    return true;
  }
  return false;
};

/** Settles what the line of an opener is and goes on behind its block; false where it is plain content. */
const findBlock = (scan: LineScan, opener: Opener): boolean => {
  const { text, printing, start, end } = scan;
  scan.kind = 'open';
  if (printing && opener === 'command') return true;
  // The tag's own look found the next `</`; where there is none, no tag is closed.
  if (opener === 'tag' && scan.syntax.closing.hit >= text.length) return true;
  const close = closingLine(scan.closing, opener, start, end, scan.syntax.ticks);
  if (close >= text.length) return true;
  if (opener === 'bracket') {
    if (scan.special <= start) scan.special = firstSpecial(scan, end + 1, close);
    if (scan.special > close) {
      // [[1, 2],
      //  [3, 4]]   nothing in it means anything: the brackets are content
      scan.special = -1;
      scan.at = lineEnd(text, close) + 1;
      return scan.start > start;
    }
    scan.start = start;
    scan.end = end;
    if (printing) return true;
  }
  scan.kind = opener;
  scan.closeStart = close;
  scan.closeEnd = lineEnd(text, close);
  scan.at = scan.closeEnd + 1;
  return true;
};

/**
 * The first line in `[from, to]` that would mean something outside of a bracket block, or the text's length. A line on
 * the way that something may yet close becomes the scan's line.
 */
const firstSpecial = (scan: LineScan, from: number, to: number): number => {
  const { text, ahead, printing } = scan;
  for (let start = from; start <= to; ) {
    const end = lineEnd(text, start);
    if (text.charCodeAt(start) === 92) {
      if (isGuarded(ahead, start, end)) return start;
    } else {
      const opener = openerOf(ahead, start, end);
      if (opener === undefined) {
        if (headerColon(text, start) >= 0) return start;
      } else if (opener !== 'bracket') {
        // A further bracket would have the same closing line, and so means something only where this one does.
        if (printing || closingLine(scan.closing, opener, start, end, ahead.ticks) < text.length) return start;
        scan.start = start;
        scan.end = end;
      }
    }
    start = end + 1;
  }
  return text.length;
};
