import { contentOf } from './content.js';
import { toLines } from './line-ends.js';
import type { Chat, Position } from './message.js';
import { isDirective } from './roles.js';
import { nextLine, scanLines } from './scan-lines.js';
import { skipWhite, trimWhite } from './white-space.js';

/** `role`: of the text before the first header (`user`); `file`: adds `at: {file, line}` to each message. */
export type ParseOptions = { role?: string; file?: string };

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
