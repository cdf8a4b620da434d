import { toTime } from './ruby-time.js';

/** An object of Ruby's: the name of its class, and its instance variables or members by name. */
export type RubyObject = { class: string; values: Record<string, unknown> };

const maxLevels = 100;
const maxWeight = 1_000_000;

const decoder = new TextDecoder();

const toFloat = (text: string): number =>
  text === 'inf' ? Number.POSITIVE_INFINITY : text === '-inf' ? Number.NEGATIVE_INFINITY : Number.parseFloat(text);

const toKey = (key: unknown): string => (typeof key === 'string' ? key : (JSON.stringify(key) ?? 'null'));

const toRecord = (entries: [string, unknown][]): Record<string, unknown> => Object.fromEntries(entries);

/** Whether bytes begin as `Marshal.dump` has them (format 4.8). */
export const isMarshal = (bytes: Uint8Array): boolean => bytes[0] === 4 && bytes[1] === 8;

/**
 * Reads bytes of Ruby's `Marshal.dump` (format 4.8) as plain data: symbols and strings as text, times as ISO text, hashes as
 * objects with text as keys, everything with a class as a `RubyObject`. No code of the dump is run and no class looked up. Where
 * the bytes break off or say nonsense, `problem` tells it, and `value` is what was read until then. Lengths are believed only as
 * far as there are bytes; links count by what they repeat, up to a million values.
 *
 * Format: https://docs.ruby-lang.org/en/master/marshal_rdoc.html
 */
export const parseMarshal = (bytes: Uint8Array): { value: unknown; problem?: string } => {
  const symbols: string[] = [];
  const objects: { value: unknown; weight: number }[] = [];
  let at = 2;
  let weight = 0;
  let root: (() => unknown) | undefined;

  const fail = (problem: string): never => {
    throw new Error(`${problem} at byte ${at}`);
  };
  const byte = (): number => (at < bytes.length ? bytes[at++]! : fail('the bytes end'));
  const take = (length: number): Uint8Array => {
    if (length < 0 || length > bytes.length - at) fail('the bytes end');
    at += length;
    return bytes.subarray(at - length, at);
  };
  const integer = (): number => {
    const first = (byte() << 24) >> 24;
    if (first === 0) return 0;
    if (Math.abs(first) > 4) return first - 5 * Math.sign(first);
    const value = take(Math.abs(first)).reduceRight((sum, one) => sum * 256 + one, 0);
    return first > 0 ? value : value - 256 ** -first;
  };
  const count = (): number => {
    const value = integer();
    // Each element has at least one byte.
    return value < 0 || value > bytes.length - at ? fail('a length is wrong') : value;
  };
  const raw = (): Uint8Array => take(integer());
  const text = (): string => decoder.decode(raw());
  const keep = <Value>(value: Value): Value => {
    objects.push({ value, weight: 1 });
    return value;
  };
  const symbol = (): string => {
    const value = read(1);
    return typeof value === 'string' ? value : fail('a symbol is missing');
  };
  const big = (): number | string => {
    const sign = byte();
    const value =
      take(integer() * 2).reduceRight((sum, one) => sum * 256n + BigInt(one), 0n) * (sign === 0x2d ? -1n : 1n);
    return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  };
  const pairs = (level: number, into: [string, unknown][], key: () => unknown): void => {
    for (let left = count(); left > 0; left--) into.push([toKey(key()), read(level + 1)]);
  };
  /** Fills a container and closes its place in the list of objects; links into one that is not closed are circles. */
  const container = <Value>(fill: (finish: (value: Value) => void) => void): Value => {
    const place = { value: undefined as unknown, weight: -1 };
    objects.push(place);
    const before = weight;
    let result!: Value;
    fill((value) => {
      result = value;
    });
    place.value = result;
    place.weight = weight - before + 1;
    return result;
  };
  const hash = (level: number, withDefault: boolean): Record<string, unknown> =>
    container((finish) => {
      const entries: [string, unknown][] = [];
      root ??= () => toRecord(entries);
      pairs(level, entries, () => read(level + 1));
      if (withDefault) read(level + 1);
      finish(toRecord(entries));
    });
  const object = (level: number, name: string): RubyObject =>
    container((finish) => {
      const entries: [string, unknown][] = [];
      root ??= () => ({ class: name, values: toRecord(entries) });
      pairs(level, entries, symbol);
      finish({ class: name, values: toRecord(entries) });
    });
  const link = (): unknown => {
    const found = objects[integer()];
    if (!found) return fail('a link leads nowhere');
    if (found.weight < 0) return fail('a link is a circle');
    weight += found.weight;
    return found.value;
  };
  const list = (level: number): unknown[] =>
    container((finish) => {
      const elements: unknown[] = [];
      root ??= () => elements;
      for (let left = count(); left > 0; left--) elements.push(read(level + 1));
      finish(elements);
    });
  /** A value with instance variables, of which only the encoding of text means something here, and that we take for UTF-8. */
  const withVariables = (level: number): unknown => {
    if (bytes[at] !== 0x75) {
      const value = read(level + 1);
      pairs(level, [], symbol);
      return value;
    }
    at++;
    return userDefined(level, true);
  };
  const userDefined = (level: number, variables: boolean): unknown => {
    const name = symbol();
    const data = raw();
    // Ruby numbers the object after its variables.
    if (variables) pairs(level, [], symbol);
    return keep((name === 'Time' ? toTime(data) : undefined) ?? { class: name, values: {} });
  };
  const named = (level: number): RubyObject =>
    container((finish) => finish({ class: symbol(), values: { value: read(level + 1) } }));
  const readers: Record<string, (level: number) => unknown> = {
    '0': () => null,
    T: () => true,
    F: () => false,
    i: integer,
    ':': () => {
      const name = text();
      symbols.push(name);
      return name;
    },
    ';': () => symbols[integer()] ?? fail('a symbol is missing'),
    '@': link,
    I: withVariables,
    '"': () => keep(text()),
    '/': () => {
      const source = keep(text());
      byte();
      return `/${source}/`;
    },
    f: () => keep(toFloat(text())),
    l: () => keep(big()),
    c: () => keep(text()),
    m: () => keep(text()),
    M: () => keep(text()),
    '[': list,
    '{': (level) => hash(level, false),
    '}': (level) => hash(level, true),
    o: (level) => object(level, symbol()),
    S: (level) => object(level, symbol()),
    u: (level) => userDefined(level, false),
    U: named,
    d: named,
    e: (level) => {
      symbol();
      return read(level + 1);
    },
    C: (level) => {
      symbol();
      return read(level + 1);
    },
  };
  const read = (level: number): unknown => {
    if (level > maxLevels) fail(`more than ${maxLevels} levels`);
    weight++;
    if (weight > maxWeight) fail('more values than are read');
    const kind = String.fromCharCode(byte());
    const reader = Object.hasOwn(readers, kind) ? readers[kind]! : () => fail(`${JSON.stringify(kind)} is no type`);
    return reader(level);
  };

  if (!isMarshal(bytes)) return { value: undefined, problem: 'it does not begin as Marshal 4.8' };
  try {
    return { value: read(0) };
  } catch (error) {
    return { value: root?.(), problem: (error as Error).message };
  }
};
