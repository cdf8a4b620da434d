/** How a value is printed: keys in order of their code units, and what becomes of each string value. */
export type PrintJsonOptions = { sortKeys?: boolean; mapText?: (text: string) => string };

/** A list or an object that is being printed; a list has no keys. */
type Frame = { value: Record<string | number, unknown>; keys: string[] | undefined; length: number; next: number };

const openFrame = (value: object, sortKeys: boolean): Frame => {
  const isList = Array.isArray(value);
  const keys = isList ? undefined : Object.keys(value);
  if (sortKeys) keys?.sort();
  return { value: value as Frame['value'], keys, length: isList ? value.length : (keys?.length ?? 0), next: 0 };
};

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;
const isNoText = (value: unknown): boolean => typeof value !== 'string';

/** The text of a list or object that holds scalars alone, where none of its texts is to be changed. */
const printFlat = (value: object, { sortKeys = false, mapText }: PrintJsonOptions): string | undefined => {
  const items: unknown[] = Array.isArray(value) ? value : Object.values(value);
  if (!items.every(isScalar) || (mapText && !items.every(isNoText))) return undefined;
  return sortKeys && items !== value ? JSON.stringify(value, Object.keys(value).sort()) : JSON.stringify(value);
};

/**
 * Prints a JSON value like `JSON.stringify`, whose recursion ends with a stack overflow some thousand levels deep, where
 * `JSON.parse` still reads. With `sortKeys` equal values have one text. Linear but for the sorting.
 */
export const printJson = (value: unknown, options: PrintJsonOptions = {}): string => {
  const { sortKeys = false, mapText } = options;
  const outer: Frame[] = [];
  let frame = openFrame([value], sortKeys);
  let printed = '';
  for (;;) {
    const index = frame.next++;
    if (index === frame.length) {
      const container = outer.pop();
      if (!container) return printed;
      printed += frame.keys ? '}' : ']';
      frame = container;
      continue;
    }
    if (index > 0) printed += ',';
    const key = frame.keys?.[index];
    if (key !== undefined) printed += `${JSON.stringify(key)}:`;
    const item = frame.value[key ?? index];
    if (typeof item === 'string') printed += JSON.stringify(mapText ? mapText(item) : item);
    else if (typeof item !== 'object' || item === null) printed += JSON.stringify(item) ?? 'null';
    else {
      const flat = printFlat(item, options);
      if (flat !== undefined) printed += flat;
      else {
        outer.push(frame);
        frame = openFrame(item, sortKeys);
        printed += frame.keys ? '{' : '[';
      }
    }
  }
};
