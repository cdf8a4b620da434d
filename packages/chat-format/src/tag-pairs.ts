import { isLetter, isTagPart } from './characters.js';
import { lineEnd, lineStart } from './seek.js';
import { isWhite, skipWhite } from './white-space.js';

/** The lines of one name: those that wait for their end, and the last that was one. */
type Name = { open: number[]; closed: number };

/**
 * Pairs the lines that open a tag, from the line that starts at `from` on, with the lines that hold its end: start by
 * start. A line is one event of a name. One that holds both is none, and a second end on a line does not count.
 */
export const tagPairs = (text: string, from: number): Map<number, number> => {
  const pairs = new Map<number, number>();
  const names = new Map<string, Name>();
  const ends = tagEnds(text, from, names);
  let next = 0;
  let start = 0;
  let end = -1;
  let opened: Name | undefined;
  for (let at = from; next < ends.length; at += 1) {
    at = text.indexOf('<', at);
    if (at > end) {
      opened?.open.push(start);
      start = lineStart(text, at);
      end = lineEnd(text, at);
      opened = skipWhite(text, start, at) === at ? names.get(openedName(text, at, end)) : undefined;
    }
    if (text.charCodeAt(at + 1) !== 47) continue;
    const name = ends[next];
    next += 1;
    if (!name || name.closed === start) continue;
    name.closed = start;
    if (name === opened) opened = undefined;
    else {
      const opener = name.open.pop();
      if (opener !== undefined) pairs.set(opener, start);
    }
  }
  return pairs;
};

/** The name of each `</` in the text, nothing where none follows; `names` gets each once. */
const tagEnds = (text: string, from: number, names: Map<string, Name>) => {
  const ends: (Name | undefined)[] = [];
  for (let at = text.indexOf('</', from); at >= 0; at = text.indexOf('</', at + 2)) {
    // </doc>
    //   ^  ^
    const end = nameEnd(text, at + 2);
    let name: Name | undefined;
    if (end > at + 2 && text.charCodeAt(end) === 62) {
      const key = text.slice(at + 2, end);
      name = names.get(key);
      if (!name) {
        name = { open: [], closed: -1 };
        names.set(key, name);
      }
    }
    ends.push(name);
  }
  return ends;
};

// <doc kind="a">
// ^   ^        ^
const openedName = (text: string, at: number, lineEnd: number) => {
  const end = nameEnd(text, at + 1);
  const code = text.charCodeAt(end);
  if (code !== 62) {
    if (end >= lineEnd || !isWhite(code)) return '';
    // The line's own search: the rest of the text is not this line's.
    const last = text.slice(end, lineEnd).indexOf('>') + end;
    if (last < end || text.charCodeAt(last - 1) === 47) return '';
  }
  return text.slice(at + 1, end);
};

/** End of a name that starts at `from`, or `from` where none does. */
const nameEnd = (text: string, from: number) => {
  let at = from;
  if (isLetter(text.charCodeAt(at))) while (isTagPart(text.charCodeAt(at))) at += 1;
  return at;
};
