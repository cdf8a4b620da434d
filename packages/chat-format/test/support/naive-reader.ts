import { type Chat, isDirective } from '@colophon/chat-format';

/**
 * The line table of `docs/chat-format.md`, written down once more without any thought of speed: lines in an array,
 * patterns, and a search down to the end for every closing line.
 */
export const naiveParse = (source: string, firstRole = 'user'): Chat => {
  let text = source.replace(/^\uFEFF/, '');
  if (/\n/.test(text) && !/(^|[^\r])\n/.test(text)) text = text.replace(/\r\n/g, '\n');
  const lines = text.split('\n');
  const chat: Chat = [];
  let block: Block = { role: firstRole, explicit: false, lines: [] };

  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!;
    const opened = openedBlock(lines, at);
    if (opened) {
      block.lines.push(...opened.content.map((content) => ({ content })));
      at = opened.end;
      continue;
    }
    const header = headerOf(line);
    if (header && looksLike(line) === undefined) {
      finish(chat, block);
      if (strip(header.rest) === '') block = { role: header.role, explicit: true, lines: [] };
      else {
        chat.push({ role: header.role, content: strip(header.rest) });
        block = { role: 'user', explicit: false, lines: [] };
      }
    } else if (line === '\\&') block.lines.push('mark');
    else block.lines.push({ content: isEscape(line) ? line.slice(1) : line });
  }
  finish(chat, block);
  return chat;
};

type Block = { role: string; explicit: boolean; lines: ('mark' | { content: string })[] };

const white = '[ \\t\\r\\n\\v\\f\\0]';
const strip = (text: string) => text.replace(new RegExp(`^${white}+`), '').replace(new RegExp(`${white}+$`), '');
const stripStart = (text: string) => text.replace(new RegExp(`^${white}+`), '');
const stripEnd = (text: string) => text.replace(new RegExp(`${white}+$`), '');

const headerOf = (line: string) => {
  const match = /^([a-z][a-z0-9_]*):(?!\/\/)([^\n]*)$/.exec(line);
  return match ? { role: match[1]!, rest: match[2]! } : undefined;
};

type Look = { kind: 'fence'; ticks: number } | { kind: 'bracket' | 'command' } | { kind: 'tag'; name: string };

/** What the line opens by its look. */
const looksLike = (line: string): Look | undefined => {
  if (line.startsWith('\\')) return undefined;
  const trimmed = strip(line);
  const fence = /^(`{3,})([^`]*)$/.exec(trimmed);
  if (fence) return { kind: 'fence', ticks: fence[1]!.length };
  if (/^\[\[/.test(trimmed) && !trimmed.slice(2).includes(']]')) return { kind: 'bracket' };
  if (/^[^ \t\r\n\v\f\0]*:-- [^\n]* \{\{\{/.test(trimmed)) return { kind: 'command' };
  const tag = /^<([A-Za-z][\w.:-]*)(?:[ \t\r\n\v\f\0][^>]*)?>/.exec(trimmed);
  if (tag && !tag[0].endsWith('/>') && !line.includes(`</${tag[1]}>`)) return { kind: 'tag', name: tag[1]! };
  return undefined;
};

const isEscape = (line: string) => {
  const match = /^\\+([^\n]*)$/.exec(line);
  if (!match) return false;
  const rest = line.replace(/^\\+/, '');
  return rest === '&' || headerOf(rest) !== undefined || looksLike(rest) !== undefined;
};

/** The line that closes what `look` opens in line `at`; -1 where none follows. */
const closingLine = (lines: string[], at: number, look: Look): number => {
  let depth = 1;
  for (let index = at + 1; index < lines.length; index += 1) {
    const line = lines[index]!;
    if (look.kind === 'fence' && /^`+$/.test(strip(line)) && strip(line).length >= look.ticks) return index;
    if (look.kind === 'bracket' && strip(line).endsWith(']]')) return index;
    if (look.kind === 'command' && /:--[^\n]* }}}/.test(line)) return index;
    if (look.kind === 'tag') {
      const inner = looksLike(line);
      const startsTag = new RegExp(`^<${look.name.replaceAll('.', '\\.')}(?:[ \\t\\r\\v\\f\\0][^>]*)?>`).exec(
        strip(line),
      );
      if (inner?.kind === 'tag' && inner.name === look.name) depth += 1;
      else if (startsTag && !startsTag[0].endsWith('/>') && line.includes(`</${look.name}>`)) continue;
      else if (line.includes(`</${look.name}>`)) depth -= 1;
      if (depth === 0) return index;
    }
  }
  return -1;
};

const isSpecial = (lines: string[], at: number): boolean => {
  const line = lines[at]!;
  const look = looksLike(line);
  if (look) return openedBlock(lines, at) !== undefined;
  return headerOf(line) !== undefined || isEscape(line);
};

/** The block that line `at` opens: its last line, and the content that its lines are. */
const openedBlock = (lines: string[], at: number): { end: number; content: string[] } | undefined => {
  const look = looksLike(lines[at]!);
  if (!look) return undefined;
  const end = closingLine(lines, at, look);
  if (end < 0) return undefined;
  const inside = lines.slice(at + 1, end);
  const [first, last] = [lines[at]!, lines[end]!];
  if (look.kind === 'command') {
    const command = /:-- ([^\n]*) \{\{\{/.exec(first)![1];
    return { end, content: [`<cmd_output cmd="${command}">`, ...inside, '</cmd_output>'] };
  }
  if (look.kind === 'bracket') {
    let special = false;
    for (let index = at + 1; index <= end && !special; index += 1) special = isSpecial(lines, index);
    if (!special) return undefined;
    const without = [first.replace('[[', ''), last.replace(new RegExp(`\\]\\](${white}*)$`), '$1')];
    return { end, content: [...blank(without[0]!), ...inside, ...blank(without[1]!)] };
  }
  return { end, content: [first, ...inside, last] };
};

const blank = (line: string) => (strip(line) === '' ? [] : [line]);

const finish = (chat: Chat, { role, explicit, lines }: Block) => {
  const first = lines.indexOf('mark');
  const last = lines.lastIndexOf('mark');
  const text = (part: Block['lines']) => part.flatMap((line) => (line === 'mark' ? [] : [line.content]));
  if (first < 0) {
    const content = strip(text(lines).join('\n'));
    if (content !== '' || (explicit && isDirective(role))) chat.push({ role, content });
    return;
  }
  // What stands before the first mark gives way at its start, what stands behind the last one at its end.
  const before = text(lines.slice(0, first));
  const between = text(lines.slice(first, last));
  const behind = text(lines.slice(last));
  const start = before.length > 0 ? stripStart(before.join('\n')) : '';
  const end = behind.length > 0 ? stripEnd(behind.join('\n')) : '';
  const parts = [...(start === '' ? [] : [start]), ...between, ...(end === '' ? [] : [end])];
  chat.push({ role, content: parts.join('\n') });
};
