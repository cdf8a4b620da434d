import { seeker, tagCharacter, tagStart } from './line-syntax.js';
import { skipWhite, trimWhite } from './white-space.js';

/**
 * Finds the lines that close blocks. All of them return the start of the closing line, or the text's length where none
 * follows, and must be asked for line starts in rising order: all questions together then cost one pass over the text.
 */
export type ClosingLines = {
  fence(from: number, ticks: number): number;
  bracket(from: number): number;
  command(from: number): number;
  /** `opener` is the start of the opener's line, `from` that of the next line. */
  tag(opener: number, from: number): number;
};

const lineStart = (text: string, at: number) => (at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1);
const lineEnd = (text: string, at: number) => {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
};

/** Makes the finders for one text. Their indexes are built when first needed. */
export const closingLines = (text: string): ClosingLines => {
  let fence: ReturnType<typeof fences> | undefined;
  let tag: ReturnType<typeof tags> | undefined;
  return {
    fence: (from, ticks) => {
      fence ??= fences(text, from);
      return fence(from, ticks);
    },
    bracket: remembered(brackets(text)),
    command: remembered(commands(text)),
    tag: (opener, from) => {
      if (!tag && text.indexOf('</', from) < 0) tag = () => text.length;
      tag ??= tags(text, opener);
      return tag(opener);
    },
  };
};

/** Asks again only when the last answer has been passed. */
const remembered = (find: (from: number) => number): ((from: number) => number) => {
  let asked = Number.POSITIVE_INFINITY;
  let hit = -1;
  return (from) => {
    if (from >= asked && from <= hit) return hit;
    asked = from;
    hit = find(from);
    return hit;
  };
};

/** Lines of nothing but backticks; from each one the next longer one, so that a search skips what is too short. */
const fences = (text: string, begin: number) => {
  const starts: number[] = [];
  const lengths: number[] = [];
  for (let at = text.indexOf('```', begin); at >= 0; ) {
    const end = lineEnd(text, at);
    let last = at + 3;
    while (text.charCodeAt(last) === 96) last += 1;
    if (skipWhite(text, last, end) === end) {
      const start = lineStart(text, at);
      if (skipWhite(text, start, at) === at) {
        starts.push(start);
        lengths.push(last - at);
      }
    }
    at = text.indexOf('```', end);
  }
  const longer = new Array<number>(starts.length);
  for (let index = starts.length - 1; index >= 0; index -= 1) {
    let next = index + 1;
    while (next < starts.length && lengths[next]! <= lengths[index]!) next = longer[next]!;
    longer[index] = next;
  }
  let index = 0;
  return (from: number, ticks: number): number => {
    while (index < starts.length && starts[index]! < from) index += 1;
    // A step to a longer line costs no more than the opener's own backticks.
    let found = index;
    while (found < starts.length && lengths[found]! < ticks) found = longer[found]!;
    return starts[found] ?? text.length;
  };
};

/** The next line that ends with `]]`. */
const brackets = (text: string) => (from: number) => {
  for (let at = text.indexOf(']]', from); at >= 0; ) {
    const end = lineEnd(text, at);
    if (text.startsWith(']]', trimWhite(text, at, end) - 2)) return lineStart(text, at);
    at = text.indexOf(']]', end);
  }
  return text.length;
};

/** The next line that holds `:--` and, behind it, ` }}}`. */
const commands = (text: string) => {
  const marker = seeker(text, ':--');
  const braces = seeker(text, '}}}');
  return (from: number) => {
    for (let at = marker(from); at < text.length; ) {
      const end = lineEnd(text, at);
      let brace = braces(at + 4);
      while (brace < end && text.charCodeAt(brace - 1) !== 32) brace = braces(brace + 1);
      if (brace < end) return lineStart(text, at);
      at = marker(end);
    }
    return text.length;
  };
};

type TagLines = { open: number[]; closed: number };

/**
 * Pairs, name by name, the lines that open a tag with the lines that hold its end. One line is one event of a name: a
 * line that holds both is none, a second end on a line does not count.
 */
const tags = (text: string, begin: number) => {
  const names = new Map<string, TagLines>();
  for (let at = text.indexOf('</', begin); at >= 0; at = text.indexOf('</', at + 2)) {
    const end = nameEnd(text, at + 2);
    if (end > 0 && text.charCodeAt(end) === 62) {
      const name = text.slice(at + 2, end);
      if (!names.has(name)) names.set(name, { open: [], closed: -1 });
    }
  }

  const closing = new Map<number, number>();
  let end = -1;
  let start = 0;
  let opened: TagLines | undefined;
  for (let at = text.indexOf('<', begin); at >= 0; at = text.indexOf('<', at + 1)) {
    if (at > end) {
      opened?.open.push(start);
      opened = undefined;
      start = lineStart(text, at);
      end = lineEnd(text, at);
      if (skipWhite(text, start, at) === at) {
        const last = nameEnd(text, at + 1);
        if (last > 0 && opens(text, last, end)) opened = names.get(text.slice(at + 1, last));
      }
    }
    if (text.charCodeAt(at + 1) !== 47) continue;
    const last = nameEnd(text, at + 2);
    if (last < 0 || text.charCodeAt(last) !== 62) continue;
    const lines = names.get(text.slice(at + 2, last));
    if (!lines || lines.closed === start) continue;
    lines.closed = start;
    if (lines === opened) opened = undefined;
    else {
      const opener = lines.open.pop();
      if (opener !== undefined) closing.set(opener, start);
    }
  }
  return (opener: number): number => closing.get(opener) ?? text.length;
};

const nameEnd = (text: string, from: number) => {
  if (!tagStart(text.charCodeAt(from))) return -1;
  let at = from + 1;
  while (tagCharacter(text.charCodeAt(at))) at += 1;
  return at;
};

const opens = (text: string, from: number, end: number) => {
  const code = text.charCodeAt(from);
  if (code !== 62 && skipWhite(text, from, from + 1) === from) return false;
  const last = text.indexOf('>', from);
  return last >= 0 && last < end && text.charCodeAt(last - 1) !== 47;
};
