import type { LineScan } from './scan-lines.js';
import { addText, builtText, textBuilder, textLength } from './text-builder.js';
import { skipWhite, trimWhite } from './white-space.js';

/** Collects one content after another: a slice of the source, or a text of its own where lines are rewritten. */
export const contentOf = (source: string) => {
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
