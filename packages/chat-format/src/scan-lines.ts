import { closingLines } from './closing-lines.js';
import { type LineSyntax, lineSyntax, type Opener } from './line-syntax.js';

/**
 * What a line is, where it is not plain content. `open` is a line that looks like an opener but opens nothing: content,
 * as long as no text comes behind it that closes it.
 */
export type LineKind = 'header' | 'escape' | 'mark' | Opener | 'open';

/** A walk over the lines of a text that are more than plain content. All places are offsets in that text. */
export type LineScan = {
  /** Goes to the next such line; false at the end. The fields below then tell about it. */
  next(): boolean;
  readonly kind: LineKind;
  /** The line is `[start, end)`; its `\n` stands at `end`, unless the text ends there. */
  readonly start: number;
  readonly end: number;
  /** Place of a header's colon. */
  readonly colon: number;
  /** The line that closes a block is `[closeStart, closeEnd)`. */
  readonly closeStart: number;
  readonly closeEnd: number;
};

const LETTER = 1;
const OPENING = 2;
const BACKSLASH = 3;

/** What the first character of a line can lead to; all others lead to nothing but a command. */
const leads = new Uint8Array(128);
leads.fill(LETTER, 97, 123);
for (const character of '\0\t\v\f\r <[`') leads[character.charCodeAt(0)] = OPENING;
leads[92] = BACKSLASH;

/**
 * The one scanner of chat text, for the reader and the printer. It costs one pass over the text, whatever that holds.
 *
 * For the printer (`printing`) the text is one content, with other text to follow. A block then counts only where it is
 * closed here and reads back as it stands; command and bracket blocks do not, so their openers are `open`.
 */
export const scanLines = (text: string, printing = false): LineScan => {
  const { length } = text;
  const syntax = lineSyntax(text);
  const ahead = printing ? lineSyntax(text) : syntax;
  const closing = closingLines(text);
  let at = 0;
  let special = -1;
  let unclosed = false;

  const lineEnd = (from: number) => {
    const end = text.indexOf('\n', from);
    return end < 0 ? length : end;
  };

  const closeOf = (opener: Opener, lines: LineSyntax, start: number, end: number) => {
    if (end >= length) return length;
    if (opener === 'fence') return closing.fence(end + 1, lines.ticks);
    if (opener === 'tag') return closing.tag(start, end + 1);
    return opener === 'command' ? closing.command(end + 1) : closing.bracket(end + 1);
  };

  /** Whether a line of a bracket block would mean something outside of it. A further bracket has the same closing line. */
  const isSpecial = (start: number, end: number) => {
    if (text.charCodeAt(start) === 92) return ahead.guarded(start, end);
    const opener = ahead.opener(start, end);
    if (opener === undefined) return ahead.header(start, end) >= 0;
    if (opener === 'bracket') return false;
    if (printing || closeOf(opener, ahead, start, end) < length) return true;
    unclosed = true;
    return false;
  };

  /** The first such line in `[from, to]`, or the text's length. */
  const firstSpecial = (from: number, to: number) => {
    unclosed = false;
    for (let start = from; start <= to; ) {
      const end = lineEnd(start);
      if (isSpecial(start, end)) return start;
      start = end + 1;
    }
    return length;
  };

  /** Settles what the opener of `[scan.start, scan.end)` is; false where it is plain content. */
  const block = (opener: Opener): boolean => {
    scan.kind = 'open';
    if (printing && opener === 'command') return true;
    scan.closeStart = closeOf(opener, syntax, scan.start, scan.end);
    if (scan.closeStart >= length) return true;
    scan.closeEnd = lineEnd(scan.closeStart);
    if (opener === 'bracket') {
      if (special <= scan.start) special = firstSpecial(scan.end + 1, scan.closeStart);
      if (special >= length) {
        // [[1, 2],
        //  [3, 4]]   nothing in it means anything: the brackets are content
        at = scan.closeEnd + 1;
        special = -1;
        return unclosed;
      }
      if (printing) return true;
      special = -1;
    }
    at = scan.closeEnd + 1;
    scan.kind = opener;
    return true;
  };

  const scan = {
    kind: 'open' as LineKind,
    start: 0,
    end: 0,
    colon: 0,
    closeStart: 0,
    closeEnd: 0,

    next(): boolean {
      while (at < length) {
        const start = at;
        const end = lineEnd(start);
        at = end + 1;
        const code = text.charCodeAt(start);
        const lead = code < 128 ? leads[code] : 0;
        const command = syntax.command(start) < end;
        if (lead === 0 && !command) continue;
        scan.start = start;
        scan.end = end;
        if (lead === BACKSLASH) {
          if (!syntax.guarded(start, end)) continue;
          scan.kind = end === start + 2 && text.charCodeAt(start + 1) === 38 ? 'mark' : 'escape';
          return true;
        }
        const opener = lead === LETTER && !command ? undefined : syntax.opener(start, end);
        if (opener !== undefined) {
          if (block(opener)) return true;
        } else if (lead === LETTER) {
          scan.colon = syntax.header(start, end);
          scan.kind = 'header';
          if (scan.colon >= 0) return true;
        }
      }
      return false;
    },
  };
  return scan;
};
