import { isLetter, isRolePart, isTagPart } from './characters.js';
import { type Seeker, seek, seeker } from './seek.js';
import { isWhite, skipWhite } from './white-space.js';

/** What may open a protected block, by the look of its line alone. */
export type Opener = 'fence' | 'bracket' | 'command' | 'tag';

/**
 * What is known of a text while its lines are looked at, each line `[start, end)` without its `\n`. Ask for lines in
 * rising order: all questions then cost one pass over the text together.
 */
export type LineSyntax = {
  readonly text: string;
  readonly marker: Seeker;
  readonly backtick: Seeker;
  readonly brackets: Seeker;
  readonly braces: Seeker;
  readonly angle: Seeker;
  readonly closing: Seeker;
  /** Length of the run of backticks of the last fence. */
  ticks: number;
};

/** Makes the syntax of one text. */
export const lineSyntax = (text: string): LineSyntax => ({
  text,
  marker: seeker(text, ':-- '),
  backtick: seeker(text, '`'),
  brackets: seeker(text, ']]'),
  braces: seeker(text, '{{{'),
  angle: seeker(text, '>'),
  closing: seeker(text, '</'),
  ticks: 0,
});

/** The opener that a line looks like, whether or not it is ever closed. */
export const openerOf = (syntax: LineSyntax, start: number, end: number): Opener | undefined => {
  const { text } = syntax;
  let first = start;
  let code = text.charCodeAt(first);
  if (isWhite(code)) {
    first = skipWhite(text, start, end);
    code = text.charCodeAt(first);
  }
  if (code === 60) {
    if (isTag(syntax, first, end)) return 'tag';
  } else if (code === 96) {
    if (isFence(syntax, first, end)) return 'fence';
  } else if (code === 91) {
    if (text.charCodeAt(first + 1) === 91 && seek(syntax.brackets, first + 2) >= end) return 'bracket';
  }
  return isCommand(syntax, first, end) ? 'command' : undefined;
};

/** Place of the colon where the line that starts at `start` is a header, else -1. */
export const headerColon = (text: string, start: number): number => {
  // user: hi
  //     ^        http://x   is none
  let at = start;
  let code = text.charCodeAt(at);
  if (code < 97 || code > 122) return -1;
  while (isRolePart(code)) {
    at += 1;
    code = text.charCodeAt(at);
  }
  return code === 58 && !(text.charCodeAt(at + 1) === 47 && text.charCodeAt(at + 2) === 47) ? at : -1;
};

/** Whether something stands behind the backslashes at a line's start that a backslash guards. */
export const isGuarded = (syntax: LineSyntax, start: number, end: number): boolean => {
  const { text } = syntax;
  let at = start;
  while (text.charCodeAt(at) === 92) at += 1;
  if (at >= end) return false;
  if (text.charCodeAt(at) === 38 && at === end - 1) return true;
  return openerOf(syntax, at, end) !== undefined || headerColon(text, at) >= 0;
};

// ```js
// ^  ^ no backtick from here on
const isFence = (syntax: LineSyntax, first: number, end: number): boolean => {
  const { text } = syntax;
  if (text.charCodeAt(first + 1) !== 96 || text.charCodeAt(first + 2) !== 96) return false;
  let at = first + 3;
  while (text.charCodeAt(at) === 96) at += 1;
  syntax.ticks = at - first;
  return seek(syntax.backtick, at) >= end;
};

// <doc kind="a">   and no </doc> behind it
//  ^  ^        ^
const isTag = (syntax: LineSyntax, first: number, end: number): boolean => {
  const { text } = syntax;
  if (!isLetter(text.charCodeAt(first + 1))) return false;
  let at = first + 2;
  let code = text.charCodeAt(at);
  while (isTagPart(code)) {
    at += 1;
    code = text.charCodeAt(at);
  }
  if (code !== 62) {
    if (at >= end || !isWhite(code)) return false;
    const last = seek(syntax.angle, at);
    if (last >= end || text.charCodeAt(last - 1) === 47) return false;
  }
  let close = seek(syntax.closing, at);
  if (close >= end) return true;
  const closer = `</${text.slice(first + 1, at)}>`;
  while (close < end) {
    if (text.startsWith(closer, close)) return false;
    close = seek(syntax.closing, close + 1);
  }
  return true;
};

// sh:-- ls -l {{{
//   ^  ^     ^
/** Whether a line whose first character that is no white space is `first` looks like the opener of a command block. */
export const isCommand = (syntax: LineSyntax, first: number, end: number): boolean => {
  // No white space before the first `:-- `, and ` {{{` behind it.
  const at = seek(syntax.marker, first);
  if (at >= end) return false;
  const { text } = syntax;
  for (let index = first; index < at; index += 1) if (isWhite(text.charCodeAt(index))) return false;
  let open = seek(syntax.braces, at + 5);
  while (open < end && text.charCodeAt(open - 1) !== 32) open = seek(syntax.braces, open + 1);
  return open < end;
};
