import { lineEnd, lineStart } from './seek.js';
import { skipWhite } from './white-space.js';

/** The lines of nothing but backticks: where they start, how many they have, and which is the next longer one. */
export type FenceLines = { starts: number[]; ticks: number[]; longer: number[]; next: number };

/** Finds those lines from `from` on. */
export const fenceLines = (text: string, from: number): FenceLines => {
  const lines: FenceLines = { starts: [], ticks: [], longer: [], next: 0 };
  for (let at = text.indexOf('```', from); at >= 0; ) {
    let last = at + 3;
    while (text.charCodeAt(last) === 96) last += 1;
    // Most runs have text behind them; behind the others is white space, or the text's end.
    if (!(text.charCodeAt(last) > 32)) addLine(lines, text, at, last);
    at = text.indexOf('```', last);
  }
  for (let index = lines.starts.length - 1; index >= 0; index -= 1) lines.longer[index] = longerThan(lines, index);
  return lines;
};

/** Adds the line of the backticks `[at, last)` if nothing else is on it. */
const addLine = (lines: FenceLines, text: string, at: number, last: number): void => {
  const start = lineStart(text, at);
  const end = lineEnd(text, last);
  if (skipWhite(text, start, at) < at || skipWhite(text, last, end) < end) return;
  lines.starts.push(start);
  lines.ticks.push(last - at);
  lines.longer.push(0);
};

const longerThan = ({ ticks, longer }: FenceLines, index: number): number => {
  let next = index + 1;
  while (next < ticks.length && ticks[next]! <= ticks[index]!) next = longer[next]!;
  return next;
};

/** The first of them at or behind `from` that has as many backticks as asked for. Ask for rising places. */
export const fenceAfter = (lines: FenceLines, from: number, ticks: number): number | undefined => {
  const { starts, longer } = lines;
  while (lines.next < starts.length && starts[lines.next]! < from) lines.next += 1;
  // Each step goes to a longer line: no more steps than the opener has backticks.
  let found = lines.next;
  while (found < starts.length && lines.ticks[found]! < ticks) found = longer[found]!;
  return starts[found];
};
