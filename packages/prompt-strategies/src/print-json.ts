/** How a value is printed: keys in order of their code units, and what becomes of each string value. */
export type PrintJsonOptions = { sortKeys?: boolean; mapText?: (text: string) => string };

/** A list or object that is being printed. */
type Frame = { keys?: string[]; values: readonly unknown[]; next: number };

const openFrame = (value: object, sortKeys: boolean): Frame => {
  if (Array.isArray(value)) return { values: value, next: 0 };
  const fields = value as Record<string, unknown>;
  const keys = Object.keys(fields).filter((key) => fields[key] !== undefined);
  if (sortKeys) keys.sort();
  return { keys, values: keys.map((key) => fields[key]), next: 0 };
};

const isFlat = (value: object): boolean =>
  Array.isArray(value) &&
  value.every((item) => typeof item !== 'string' && (typeof item !== 'object' || item === null));

/**
 * Prints a JSON value like `JSON.stringify`, whose recursion ends with a stack overflow some thousand levels deep, where
 * `JSON.parse` still reads. With `sortKeys` equal values have one text. Linear but for the sorting.
 */
export const printJson = (
  value: unknown,
  { sortKeys = false, mapText = (text) => text }: PrintJsonOptions = {},
): string => {
  const outer: Frame[] = [];
  let frame: Frame = { values: [value], next: 0 };
  let printed = '';
  for (;;) {
    const index = frame.next++;
    if (index === frame.values.length) {
      const container = outer.pop();
      if (!container) return printed;
      printed += frame.keys ? '}' : ']';
      frame = container;
      continue;
    }
    if (index > 0) printed += ',';
    if (frame.keys) printed += `${JSON.stringify(frame.keys[index])}:`;
    const item = frame.values[index];
    if (typeof item === 'string') printed += JSON.stringify(mapText(item));
    else if (typeof item !== 'object' || item === null || isFlat(item)) printed += JSON.stringify(item) ?? 'null';
    else {
      outer.push(frame);
      frame = openFrame(item, sortKeys);
      printed += frame.keys ? '{' : '[';
    }
  }
};
