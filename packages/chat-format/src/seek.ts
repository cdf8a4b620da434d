/** A search for one needle in one text, which remembers where it stands. */
export type Seeker = { readonly text: string; readonly needle: string; asked: number; hit: number };

/** Makes a search for a needle. */
export const seeker = (text: string, needle: string): Seeker => ({ text, needle, asked: 0, hit: -1 });

/**
 * The next place of the needle at or behind `from`, or the text's length. As long as it is asked for rising places it
 * passes over the text once, however often it is asked: a search made anew for each line could cost the text each time.
 */
export const seek = (seeker: Seeker, from: number): number => {
  if (from >= seeker.asked && from <= seeker.hit) return seeker.hit;
  const hit = seeker.text.indexOf(seeker.needle, from);
  seeker.asked = from;
  seeker.hit = hit < 0 ? seeker.text.length : hit;
  return seeker.hit;
};

/** The end of the line that `from` stands in: the place of its `\n`, or the text's length. */
export const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
};

/** The start of the line that `at` stands in. */
export const lineStart = (text: string, at: number): number => (at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1);
