import { jsonError } from './errors.js';

const read = (text: string): { value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
};

/** Texts inside ```json fences, in order; a fence that is never closed runs to the end. Linear. */
const fencedTexts = (text: string): string[] => {
  const found: string[] = [];
  let ticks = 0;
  let lines: string[] | undefined;
  for (const line of text.split('\n')) {
    const run = /^\s*(`{3,})\s*(\S*)\s*$/.exec(line);
    const length = run?.[1]?.length ?? 0;
    if (ticks === 0 && run) {
      ticks = length;
      lines = run[2]?.toLowerCase() === 'json' ? [] : undefined;
    } else if (ticks > 0 && length >= ticks && run?.[2] === '') {
      if (lines) found.push(lines.join('\n'));
      ticks = 0;
      lines = undefined;
    } else lines?.push(line);
  }
  if (lines) found.push(lines.join('\n'));
  return found;
};

/**
 * Reads JSON: the whole text, or else the first ```` ```json ```` fence in it that holds valid JSON.
 *
 * @throws ColophonError `invalid_json` where neither does.
 */
export const parseJson = (text: string): unknown => {
  const whole = read(text);
  if (whole) return whole.value;
  for (const fenced of fencedTexts(text)) {
    const result = read(fenced);
    if (result) return result.value;
  }
  throw jsonError(text);
};
