type Piece = { text: string } | { value: unknown };

/** How a value is printed: keys in order of their code units, and what becomes of each string value. */
export type PrintJsonOptions = { sortKeys?: boolean; mapText?: (text: string) => string };

const children = (value: object, sortKeys: boolean): Piece[] => {
  if (Array.isArray(value)) {
    const items = value.flatMap((item, index): Piece[] => [{ text: index === 0 ? '[' : ',' }, { value: item }]);
    return items.length === 0 ? [{ text: '[]' }] : [...items, { text: ']' }];
  }
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  if (sortKeys) entries.sort(([a], [b]) => (a < b ? -1 : 1));
  const items = entries.flatMap(([key, item], index): Piece[] => [
    { text: `${index === 0 ? '{' : ','}${JSON.stringify(key)}:` },
    { value: item },
  ]);
  return items.length === 0 ? [{ text: '{}' }] : [...items, { text: '}' }];
};

/**
 * Prints a JSON value like `JSON.stringify`, whose recursion ends with a stack overflow some thousand levels deep, where
 * `JSON.parse` still reads. With `sortKeys` equal values have one text. Linear but for the sorting.
 */
export const printJson = (value: unknown, { sortKeys = false, mapText }: PrintJsonOptions = {}): string => {
  const printed: string[] = [];
  const stack: Piece[] = [{ value }];
  for (let piece = stack.pop(); piece; piece = stack.pop()) {
    if ('text' in piece) printed.push(piece.text);
    else if (typeof piece.value === 'string')
      printed.push(JSON.stringify(mapText ? mapText(piece.value) : piece.value));
    else if (typeof piece.value !== 'object' || piece.value === null)
      printed.push(JSON.stringify(piece.value) ?? 'null');
    else for (const child of children(piece.value, sortKeys).reverse()) stack.push(child);
  }
  return printed.join('');
};
