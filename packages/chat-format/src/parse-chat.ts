import type { Chat, Position } from './message.js';
import { isDirective } from './roles.js';
import { type LineScan, nextLine, scanLines } from './scan-lines.js';
import { addText, builtText, textBuilder, textLength } from './text-builder.js';
import { skipWhite, trimWhite } from './white-space.js';

/** `role`: of the text before the first header (`user`); `file`: adds `at: {file, line}` to each message. */
export type ParseOptions = { role?: string; file?: string };

/** Drops a leading BOM, and the `\r` of line ends where every line ends with `\r\n`. */
export const toLines = (text: string): string => {
  const plain = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return hasWindowsLines(plain) ? plain.replaceAll('\r\n', '\n') : plain;
};

/** Whether a text has line ends and `\r` stands before each of them. */
export const hasWindowsLines = (text: string): boolean => {
  let at = text.indexOf('\n');
  if (at < 0) return false;
  while (at > 0 && text.charCodeAt(at - 1) === 13) {
    at = text.indexOf('\n', at + 1);
    if (at < 0) return true;
  }
  return false;
};

/** Reads chat text. Never throws: every text is some chat. Costs one pass over the text. */
export const parseChat = (text: string, { role: firstRole = 'user', file }: ParseOptions = {}): Chat => {
  const source = toLines(text);
  const chat: Chat = [];
  const position = file === undefined ? undefined : positions(source, file);
  const scan = scanLines(source);
  const content = contentOf(source);
  let role = firstRole;
  let header = -1;

  const add = (name: string, text: string, at: number) => {
    chat.push(position ? { role: name, content: text, at: position(at) } : { role: name, content: text });
  };
  const endBlock = (end: number) => {
    const text = content.take(end);
    const kept = text !== '' || content.marked || (header >= 0 && isDirective(role));
    if (kept) add(role, text, header < 0 ? content.first : header);
  };

  while (nextLine(scan)) {
    if (scan.kind !== 'header') {
      content.rewrite(scan);
      continue;
    }
    endBlock(scan.start);
    const name = source.slice(scan.start, scan.colon);
    const start = skipWhite(source, scan.colon + 1, scan.end);
    if (start < scan.end) {
      add(name, source.slice(start, trimWhite(source, start, scan.end)), scan.start);
      role = 'user';
      header = -1;
    } else {
      role = name;
      header = scan.start;
    }
    content.begin(scan.end + 1);
  }
  endBlock(source.length);
  return chat;
};

/** Tells the line of rising offsets, counting line ends once. */
const positions = (source: string, file: string) => {
  let line = 1;
  let next = source.indexOf('\n');
  return (at: number): Position => {
    while (next >= 0 && next < at) {
      line += 1;
      next = source.indexOf('\n', next + 1);
    }
    return { file, line };
  };
};

/** Collects one content after another: a slice of the source, or a text of its own where lines are rewritten. */
const contentOf = (source: string) => {
  let from = 0;
  let copied = 0;
  let rewritten = textBuilder();
  /** White space stays behind the first mark and before the last one. */
  let keepFrom = -1;
  let keepTo = 0;

  const replace = (start: number, end: number, by = '') => {
    if (start > copied) addText(rewritten, source.slice(copied, start));
    if (by !== '') addText(rewritten, by);
    copied = end;
  };
  /** Takes `[start, end)` out of its line, and the line too where nothing but white space is left of it. */
  const cut = (start: number, end: number, lineStart: number, lineEnd: number) => {
    const blank = skipWhite(source, lineStart, start) === start && skipWhite(source, end, lineEnd) === lineEnd;
    if (blank) replace(lineStart, lineEnd + 1);
    else replace(start, end);
  };

  const content = {
    /** Where the last content taken starts, without the white space before it. */
    first: 0,
    /** It had a mark. */
    marked: false,

    begin(at: number): void {
      from = at;
      copied = at;
      if (textLength(rewritten) > 0) rewritten = textBuilder();
      keepFrom = -1;
      keepTo = 0;
      content.marked = false;
    },

    rewrite(scan: LineScan): void {
      const { kind, start, end } = scan;
      if (kind === 'escape') replace(start, start + 1);
      else if (kind === 'mark') {
        replace(start, end + 1);
        const length = textLength(rewritten);
        if (keepFrom < 0) keepFrom = length;
        keepTo = length - 1;
        content.marked = true;
      } else if (kind === 'bracket') {
        const open = skipWhite(source, start, end);
        const close = trimWhite(source, scan.closeStart, scan.closeEnd) - 2;
        cut(open, open + 2, start, end);
        cut(close, close + 2, scan.closeStart, scan.closeEnd);
      } else if (kind === 'command') {
        const command = source.slice(source.indexOf(':-- ', start) + 4, source.lastIndexOf(' {{{', end));
        replace(start, end, `<cmd_output cmd="${command}">`);
        replace(scan.closeStart, scan.closeEnd, '</cmd_output>');
      }
    },

    /** The content up to `end`, without the white space at its ends that no mark keeps. */
    take(end: number): string {
      content.first = skipWhite(source, from, end);
      if (copied === from) return source.slice(content.first, trimWhite(source, content.first, end));
      if (end > copied) addText(rewritten, source.slice(copied, end));
      const text = builtText(rewritten);
      const start = skipWhite(text, 0, keepFrom < 0 ? text.length : keepFrom);
      return text.slice(start, trimWhite(text, Math.max(start, keepTo), text.length));
    },
  };
  return content;
};
