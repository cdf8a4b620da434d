import { checkCalls } from './check-calls.js';
import { toLines } from './line-ends.js';
import { headerColon } from './line-syntax.js';
import { roles } from './roles.js';
import { type LineScan, nextLine, scanLines } from './scan-lines.js';
import { lineEnd } from './seek.js';
import { skipWhite, trimWhite } from './white-space.js';

/** What a problem can be; each is told in `docs/chat-format.md`. */
export type ProblemCode =
  | 'unknown_role'
  | 'not_protected'
  | 'escape_taken_off'
  | 'hidden_header'
  | 'open_block'
  | 'unreadable_call'
  | 'call_without_output'
  | 'output_without_call'
  | 'repeated_call_id';

/** Something in a chat file that may not mean what it seems to. `fix` is what the line is to be, where that is safe. */
export type Problem = { code: ProblemCode; message: string; file?: string; line: number; fix?: string };

/** Looks for what reading can't know: text that reads well, and may be meant otherwise. Sorted by line. */
export const checkChat = (text: string, { file }: { file?: string } = {}): Problem[] => {
  const source = toLines(text);
  const problems = [...checkLines(source), ...checkCalls(source)].sort((a, b) => a.line - b.line);
  return file === undefined ? problems : problems.map((problem) => ({ ...problem, file }));
};

/**
 * Makes the fixes that are safe: a line amid other text that reads as a message of an unknown role (`else:`) gets a
 * backslash, and so is text again. A message under the header of a known role keeps its place, role and text.
 */
export const fixChat = (text: string): string => {
  const lines = text.split('\n');
  for (const { line, fix } of checkLines(toLines(text))) {
    if (fix !== undefined) lines[line - 1] = `\\${lines[line - 1]}`;
  }
  return lines.join('\n');
};

/** One walk over the lines, with what it has to remember from line to line. */
const checkLines = (source: string): Problem[] => {
  const problems: Problem[] = [];
  const scan = scanLines(source);
  const unprotected = unprotectedBlocks(problems);
  let line = 1;
  let at = 0;
  /** The line above is text of a message, so that one more line of text would belong to it. */
  let afterText = false;
  const report = (code: ProblemCode, message: string, fix?: string) => {
    problems.push(fix === undefined ? { code, message, line } : { code, message, line, fix });
  };

  while (nextLine(scan)) {
    for (; at < scan.start; at = lineEnd(source, at) + 1, line += 1) {
      afterText = skipWhite(source, at, lineEnd(source, at)) < lineEnd(source, at);
      unprotected.text(source.slice(at, lineEnd(source, at)), line);
    }
    const shown = excerpt(source.slice(scan.start, scan.end));
    let end = scan.end;
    if (scan.kind === 'header') {
      const role = source.slice(scan.start, scan.colon);
      unprotected.header(role, line);
      const known = Object.hasOwn(roles, role);
      if (!known) {
        report(
          'unknown_role',
          `${shown} begins a message of the role ${role}, which is not known; where it is text, put a backslash before it`,
          afterText ? `\\${source.slice(scan.start, scan.end)}` : undefined,
        );
      }
      afterText &&= !known;
    } else {
      afterText = true;
      if (scan.kind === 'escape') report('escape_taken_off', `reading takes the first backslash off ${shown}`);
      else if (scan.kind === 'open') {
        report('open_block', `${shown} opens a block that no line closes: the lines below it are read as usual`);
      } else if (scan.kind !== 'mark') {
        const hidden = hiddenHeader(scan, line);
        if (hidden) report('hidden_header', hidden);
        end = scan.closeEnd;
      }
    }
    for (; at <= end; at = lineEnd(source, at) + 1) line += 1;
  }
  for (; at < source.length; at = lineEnd(source, at) + 1, line += 1) {
    unprotected.text(source.slice(at, lineEnd(source, at)), line);
  }
  return problems;
};

const excerpt = (text: string) => `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`;

/** Tells of the first line in a protected block that would be the header of a known role. */
const hiddenHeader = (scan: LineScan, line: number) => {
  const { text } = scan;
  let number = line;
  for (let at = scan.end + 1; at <= scan.closeStart; ) {
    const end = lineEnd(text, at);
    const colon = headerColon(text, at);
    number += 1;
    if (colon >= 0 && Object.hasOwn(roles, text.slice(at, colon))) {
      return `line ${line}'s ${scan.kind} hides \`${text.slice(at, colon)}:\` at ${number}`;
    }
    at = end + 1;
  }
  return undefined;
};

/** Follows blocks that protect nothing in a chat, `~~~` and `<!-- … -->`, and reports those that hold headers. */
const unprotectedBlocks = (problems: Problem[]) => {
  let opened: { line: number; sign: '~~~' | '<!--'; header?: string } | undefined;
  const isEnd = (line: string, sign: string) =>
    sign === '<!--' ? line.includes('-->') : /^~{3,}$/.test(stripped(line));
  return {
    header(role: string, line: number) {
      if (opened) opened.header ??= `\`${role}:\` at ${line}`;
    },
    text(line: string, number: number) {
      if (opened) {
        if (!isEnd(line, opened.sign)) return;
        if (opened.header) {
          problems.push({
            code: 'not_protected',
            message: `line ${opened.line}'s \`${opened.sign}\` protects nothing: ${opened.header} begins a message. Use a fence of backticks`,
            line: opened.line,
          });
        }
        opened = undefined;
        return;
      }
      const comment = line.lastIndexOf('<!--');
      if (stripped(line).startsWith('~~~')) opened = { line: number, sign: '~~~' };
      else if (comment >= 0 && !line.includes('-->', comment)) opened = { line: number, sign: '<!--' };
    },
  };
};

const stripped = (line: string) => {
  const start = skipWhite(line, 0, line.length);
  return line.slice(start, trimWhite(line, start, line.length));
};
