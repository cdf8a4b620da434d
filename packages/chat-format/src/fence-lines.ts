import { lineEnd, lineStart } from './seek.js';
import { isWhite, skipWhite } from './white-space.js';

/** The lines of nothing but backticks: where they start, how many they have, and which is the next longer one. */
export type FenceLines = { starts: number[]; ticks: number[]; longer: number[]; next: number };

/** Finds those lines from `from` on. */
export const fenceLines = (text: string, from: number): FenceLines => {
  const starts: number[] = [];
  const ticks: number[] = [];
  for (let at = text.indexOf('```', from); at >= 0; ) {
    let last = at + 3;
    while (text.charCodeAt(last) === 96) last += 1;
    if (last === text.length || isWhite(text.charCodeAt(last))) {
      const start = lineStart(text, at);
      const end = lineEnd(text, last);
      if (skipWhite(text, start, at) === at && skipWhite(text, last, end) === end) {
        starts.push(start);
        ticks.push(last - at);
      }
    }
    at = text.indexOf('```', last);
  }
  const longer = new Array<number>(starts.length);
  for (let index = starts.length - 1; index >= 0; index -= 1) {
    let next = index + 1;
    while (next < starts.length && ticks[next]! <= ticks[index]!) next = longer[next]!;
    longer[index] = next;
  }
  return { starts, ticks, longer, next: 0 };
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
