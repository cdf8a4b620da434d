/** A symbol, a time, or an object of a class, for `printMarshal`. */
export class Ruby {
  constructor(
    readonly kind: 'symbol' | 'time' | 'object',
    readonly value: string | Date | { class: string; values: Record<string, unknown> },
  ) {}
}

const toInteger = (value: number): number[] => {
  if (value === 0) return [0];
  if (value > 0 && value < 123) return [value + 5];
  if (value < 0 && value > -124) return [(value - 5) & 255];
  const bytes = [];
  for (let rest = value; rest !== 0 && rest !== -1 && bytes.length < 4; rest >>= 8) bytes.push(rest & 255);
  return [value > 0 ? bytes.length : 256 - bytes.length, ...bytes];
};

const toTime = (date: Date): number[] => {
  const high =
    (0x80000000 |
      ((date.getUTCFullYear() - 1900) << 14) |
      (date.getUTCMonth() << 10) |
      (date.getUTCDate() << 5) |
      date.getUTCHours()) >>>
    0;
  const low = ((date.getUTCMinutes() << 26) | (date.getUTCSeconds() << 20) | (date.getUTCMilliseconds() * 1000)) >>> 0;
  return [high, low].flatMap((word) => [word & 255, (word >>> 8) & 255, (word >>> 16) & 255, word >>> 24]);
};

/**
 * Bytes as Ruby's `Marshal.dump` gives them, for tests: plain data and `Ruby`. What was printed before, a text or a list or hash
 * that is the same object, is a link. Texts are told apart by their content, as if each were one object.
 */
export const printMarshal = (root: unknown): Uint8Array => {
  const symbols = new Map<string, number>();
  const objects = new Map<unknown, number>();
  const bytes = [4, 8];
  const put = (...more: number[]): void => {
    for (const one of more) bytes.push(one);
  };
  const raw = (data: Iterable<number>): void => {
    const list = [...data];
    put(...toInteger(list.length), ...list);
  };
  const text = (value: string): void => raw(new TextEncoder().encode(value));
  const symbol = (name: string): void => {
    const known = symbols.get(name);
    if (known !== undefined) {
      put(0x3b, ...toInteger(known));
      return;
    }
    symbols.set(name, symbols.size);
    put(0x3a);
    text(name);
  };
  const pairs = (values: Record<string, unknown>, key: (name: string) => void): void => {
    put(...toInteger(Object.keys(values).length));
    for (const [name, value] of Object.entries(values)) {
      key(name);
      print(value);
    }
  };
  const print = (value: unknown): void => {
    if (value === null) {
      put(0x30);
      return;
    }
    if (typeof value === 'boolean') {
      put(value ? 0x54 : 0x46);
      return;
    }
    if (Number.isInteger(value) && Math.abs(value as number) < 2 ** 30) {
      put(0x69, ...toInteger(value as number));
      return;
    }
    if (value instanceof Ruby && value.kind === 'symbol') {
      symbol(value.value as string);
      return;
    }
    const known = objects.get(value);
    if (known !== undefined) {
      put(0x40, ...toInteger(known));
      return;
    }
    if (value instanceof Ruby && value.kind === 'time') {
      put(0x49, 0x75);
      symbol('Time');
      raw(toTime(value.value as Date));
      pairs({ offset: 0, zone: 'UTC' }, symbol);
      objects.set(value, objects.size);
      return;
    }
    objects.set(value, objects.size);
    if (typeof value === 'string') {
      put(0x49, 0x22);
      text(value);
      put(...toInteger(1));
      symbol('E');
      put(0x54);
    } else if (typeof value === 'number') {
      put(0x66);
      text(
        Number.isNaN(value)
          ? 'nan'
          : Number.isFinite(value)
            ? Object.is(value, -0)
              ? '-0'
              : String(value)
            : value > 0
              ? 'inf'
              : '-inf',
      );
    } else if (Array.isArray(value)) {
      put(0x5b, ...toInteger(value.length));
      value.forEach(print);
    } else if (value instanceof Ruby) {
      const { class: name, values } = value.value as { class: string; values: Record<string, unknown> };
      put(0x6f);
      symbol(name);
      pairs(values, symbol);
    } else {
      put(0x7b);
      pairs(value as Record<string, unknown>, print);
    }
  };
  print(root);
  return Uint8Array.from(bytes);
};
