import stringWidth from 'string-width';

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Characters from the start of a list that take at most so many columns. */
const take = (characters: readonly string[], columns: number): string[] => {
  let width = 0;
  const end = characters.findIndex((character) => {
    width += stringWidth(character);
    return width > columns;
  });
  return end < 0 ? [...characters] : characters.slice(0, end);
};

/** The most code units that are looked at for a column: marks may be heaped on one letter without end. */
const unitsAColumn = 16;

/** Text of at most so many columns: the middle of a longer one gives way to `…`, between characters as people see them. */
export const cutMiddle = (text: string, columns: number): string => {
  if (stringWidth(text) <= columns) return text;
  const charactersOf = (part: string) =>
    [...graphemes.segment(part.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, ''))].map(({ segment }) => segment);
  const first = take(charactersOf(text.slice(0, columns * unitsAColumn)), Math.ceil((columns - 1) / 2));
  const last = take(charactersOf(text.slice(-columns * unitsAColumn)).reverse(), Math.floor((columns - 1) / 2));
  return `${first.join('')}…${last.reverse().join('')}`;
};

/** Pads with spaces to so many columns of a terminal, whatever letters, marks and emoji the text holds. */
export const padRight = (text: string, columns: number): string =>
  text + ' '.repeat(Math.max(0, columns - stringWidth(text)));

/** The same with the text on the right. */
export const padLeft = (text: string, columns: number): string =>
  ' '.repeat(Math.max(0, columns - stringWidth(text))) + text;

/** Columns of the widest text, at least `least`. */
export const widest = (texts: Iterable<string>, least: number): number => {
  let columns = least;
  for (const text of texts) columns = Math.max(columns, stringWidth(text));
  return columns;
};
