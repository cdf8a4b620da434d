import type { Chat, Message, Position } from './message.js';
import { isDirective } from './roles.js';
import { type LineScan, scanLines } from './scan-lines.js';
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
  let role = firstRole;
  let header = -1;
  let body = contentOf(source, 0);

  const add = (name: string, content: string, at: number) => {
    const message: Message = { role: name, content };
    if (position) message.at = position(at);
    chat.push(message);
  };
  const endBlock = (end: number) => {
    const content = body.take(end);
    if (content !== '' || body.marked || (header >= 0 && isDirective(role)))
      add(role, content, header < 0 ? body.begin : header);
  };

  while (scan.next()) {
    if (scan.kind !== 'header') {
      body.rewrite(scan);
      continue;
    }
    endBlock(scan.start);
    const start = skipWhite(source, scan.colon + 1, scan.end);
    const name = source.slice(scan.start, scan.colon);
    if (start < scan.end) {
      add(name, source.slice(start, trimWhite(source, start, scan.end)), scan.start);
      role = 'user';
      header = -1;
    } else {
      role = name;
      header = scan.start;
    }
    body = contentOf(source, scan.end + 1);
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

/** Collects the content that begins at `from`: one slice of the source, or pieces where lines are rewritten. */
const contentOf = (source: string, from: number) => {
  const pieces: string[] = [];
  let copied = from;
  let length = 0;
  /** A first mark keeps white space behind it, a last mark that before it. */
  let keepFrom = -1;
  let keepTo = 0;

  const copy = (to: number) => {
    if (to > copied) {
      pieces.push(source.slice(copied, to));
      length += to - copied;
    }
  };
  const replace = (start: number, end: number, by = '') => {
    copy(start);
    if (by !== '') pieces.push(by);
    length += by.length;
    copied = end;
  };
  /** Takes `[start, end)` out of its line, and the line with it where nothing but white space is left. */
  const cut = (start: number, end: number, lineStart: number, lineEnd: number) => {
    const blank = skipWhite(source, lineStart, start) === start && skipWhite(source, end, lineEnd) === lineEnd;
    if (blank) replace(lineStart, lineEnd + 1);
    else replace(start, end);
  };

  return {
    begin: from,
    marked: false,

    rewrite(scan: LineScan): void {
      const { kind, start, end, closeStart, closeEnd } = scan;
      if (kind === 'escape') replace(start, start + 1);
      else if (kind === 'mark') {
        replace(start, end + 1);
        if (keepFrom < 0) keepFrom = length;
        keepTo = length - 1;
        this.marked = true;
      } else if (kind === 'bracket') {
        const open = skipWhite(source, start, end);
        const close = trimWhite(source, closeStart, closeEnd) - 2;
        cut(open, open + 2, start, end);
        cut(close, close + 2, closeStart, closeEnd);
      } else if (kind === 'command') {
        const command = source.slice(source.indexOf(':-- ', start) + 4, source.lastIndexOf(' {{{', end));
        replace(start, end, `<cmd_output cmd="${command}">`);
        replace(closeStart, closeEnd, '</cmd_output>');
      }
    },

    /** The content up to `end`, without the white space at its ends that no mark keeps. */
    take(end: number): string {
      if (copied === from) {
        this.begin = skipWhite(source, from, end);
        return source.slice(this.begin, trimWhite(source, this.begin, end));
      }
      copy(end);
      const content = pieces.join('');
      const first = skipWhite(content, 0, keepFrom < 0 ? content.length : keepFrom);
      return content.slice(first, trimWhite(content, Math.max(first, keepTo), content.length));
    },
  };
};
