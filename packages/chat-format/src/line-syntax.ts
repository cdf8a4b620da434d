import { isWhite, skipWhite } from './white-space.js';

/** What may open a protected block, by the look of its line alone. */
export type Opener = 'fence' | 'bracket' | 'command' | 'tag';

const letter = (code: number) => (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
const digit = (code: number) => code >= 48 && code <= 57;

/** A character of a role behind its first: `a-z`, `0-9`, `_`. */
const roleCharacter = (code: number) => (code >= 97 && code <= 122) || digit(code) || code === 95;

/** A character of a tag's name behind its first: `\w . : -`. */
export const tagCharacter = (code: number): boolean =>
  letter(code) || digit(code) || code === 95 || code === 45 || code === 46 || code === 58;

/** The first character of a tag's name. */
export const tagStart = letter;

/**
 * Finds the next place of a needle. As long as it is asked for rising places it passes over the text once, however
 * often it is asked: a search that stops at a line's end would cost the rest of the text on every line.
 */
export const seeker = (text: string, needle: string): ((from: number) => number) => {
  let asked = Number.POSITIVE_INFINITY;
  let hit = -1;
  return (from) => {
    if (from >= asked && from <= hit) return hit;
    asked = from;
    hit = text.indexOf(needle, from);
    if (hit < 0) hit = text.length;
    return hit;
  };
};

/** The looks of single lines; `[start, end)` is always one line without its `\n`. */
export type LineSyntax = {
  /** The opener that the line looks like, whether or not it is ever closed. Sets `ticks`. */
  opener(start: number, end: number): Opener | undefined;
  /** Place of the colon where the line is a header (`user: hi`), else -1. */
  header(start: number, end: number): number;
  /** What stands behind the backslashes at the start of a line is something that a backslash guards. */
  guarded(start: number, end: number): boolean;
  /** Length of the last fence's run of backticks. */
  readonly ticks: number;
  /** First place of `:-- ` at or behind `from`: lines that end before it are no command openers. */
  command(from: number): number;
};

/** Makes the line syntax of one text. Ask it for lines in rising order: then all questions cost one pass together. */
export const lineSyntax = (text: string): LineSyntax => {
  const backtick = seeker(text, '`');
  const brackets = seeker(text, ']]');
  const marker = seeker(text, ':-- ');
  const braces = seeker(text, '{{{');
  const angle = seeker(text, '>');
  const close = seeker(text, '</');

  const syntax = {
    ticks: 0,
    command: marker,

    opener(start: number, end: number): Opener | undefined {
      const first = skipWhite(text, start, end);
      if (first >= end) return undefined;
      const code = text.charCodeAt(first);
      if (code === 96 && isFence(first, end)) return 'fence';
      if (code === 91 && text.charCodeAt(first + 1) === 91 && brackets(first + 2) >= end) return 'bracket';
      if (marker(first) < end && isCommand(first, end)) return 'command';
      if (code === 60 && isTag(first, end)) return 'tag';
      return undefined;
    },

    header(start: number, end: number): number {
      const code = text.charCodeAt(start);
      if (!(code >= 97 && code <= 122)) return -1;
      let at = start + 1;
      while (at < end && roleCharacter(text.charCodeAt(at))) at += 1;
      if (at >= end || text.charCodeAt(at) !== 58) return -1;
      // http://x
      //     ^^
      return text.startsWith('//', at + 1) ? -1 : at;
    },

    guarded(start: number, end: number): boolean {
      let at = start;
      while (at < end && text.charCodeAt(at) === 92) at += 1;
      if (at === end - 1 && text.charCodeAt(at) === 38) return true;
      return at < end && (syntax.header(at, end) >= 0 || syntax.opener(at, end) !== undefined);
    },
  };

  // ```js
  // ^  ^ no backtick from here on
  const isFence = (first: number, end: number): boolean => {
    let at = first + 1;
    while (at < end && text.charCodeAt(at) === 96) at += 1;
    syntax.ticks = at - first;
    return at - first >= 3 && backtick(at) >= end;
  };

  // sh:-- ls -l {{{
  //   ^  ^     ^
  // The first white space is the space of the first `:-- `, and ` {{{` stands behind it.
  const isCommand = (first: number, end: number): boolean => {
    let white = first;
    while (white < end && !isWhite(text.charCodeAt(white))) white += 1;
    if (white - 3 < first || text.charCodeAt(white) !== 32 || !text.startsWith(':--', white - 3)) return false;
    let open = braces(white + 2);
    while (open < end && text.charCodeAt(open - 1) !== 32) open = braces(open + 1);
    return open < end;
  };

  // <doc kind="a">   no </doc> behind it
  //  ^  ^        ^
  const isTag = (first: number, end: number): boolean => {
    if (!tagStart(text.charCodeAt(first + 1))) return false;
    let at = first + 2;
    while (at < end && tagCharacter(text.charCodeAt(at))) at += 1;
    if (at >= end || (text.charCodeAt(at) !== 62 && !isWhite(text.charCodeAt(at)))) return false;
    const last = angle(at);
    if (last >= end || text.charCodeAt(last - 1) === 47) return false;
    let closing = close(last);
    if (closing >= end) return true;
    const closer = `</${text.slice(first + 1, at)}>`;
    while (closing < end) {
      if (text.startsWith(closer, closing) && closing + closer.length <= end) return false;
      closing = close(closing + 1);
    }
    return true;
  };

  return syntax;
};
