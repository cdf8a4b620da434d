/** Breaks text at spaces so that no line is longer than `width`, save for a longer word. */
export const wrap = (text: string, width: number): string[] => {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
};

/** Rows of a term and what is said of it, as two aligned columns, indented by two, at most `width` wide. */
export const twoColumns = (
  rows: readonly (readonly [term: string, text: string])[],
  { width = 80, term = (text: string) => text, left = Math.max(...rows.map(([name]) => name.length)) } = {},
): string =>
  rows
    .map(([name, text]) => {
      const [first, ...others] = wrap(text, Math.max(20, width - left - 4));
      const head = `  ${term(name)}${' '.repeat(Math.max(0, left - name.length))}  ${first}`;
      return [head, ...others.map((line) => ' '.repeat(left + 4) + line)].map((line) => line.trimEnd()).join('\n');
    })
    .join('\n');
