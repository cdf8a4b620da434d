import { badOption } from './errors.js';
import { type HarnessOption, type OptionKind, type OptionName, optionNames } from './option-names.js';
import { isRecord } from './shape.js';

/** Options of one source, sorted: the harness's own, thresholds of the strategies, and the provider's parameters. */
export type Layer = {
  /** For messages: `the call`, `the chat`, an endpoint's file. */
  source: string;
  /** The user's own word; not a file that may have been cloned. */
  trusted: boolean;
  own: Partial<Record<HarnessOption, unknown>>;
  thresholds: Record<string, unknown>;
  parameters: Record<string, unknown>;
};

/** A value and where it came from. */
export type Picked = { value: unknown; source: string; trusted: boolean };

// The thresholds of the built-in prompt strategies.
const isThreshold = (key: string): boolean =>
  /^(?:full_tool_(?:calls|outputs)|max_tool_(?:calls|outputs|chars)|epoch_\w+)$/.test(key);

const byKey = (inCall: boolean): Map<string, OptionName> =>
  new Map(
    (optionNames as readonly OptionName[]).flatMap((option) => [
      ...(option.written === undefined ? [] : [[option.written, option] as const]),
      ...(inCall || option.written !== undefined ? [[option.name, option] as const] : []),
    ]),
  );

const callKeys = byKey(true);
const fileKeys = byKey(false);

const isNumber = (value: unknown, least: number): boolean => typeof value === 'number' && value >= least;

const words: Record<string, boolean> = {
  true: true,
  yes: true,
  on: true,
  '1': true,
  false: false,
  no: false,
  off: false,
  '0': false,
};

/** Reads `false`, `no`, `off`, `0` and their opposites, of any type and case; undefined for anything else. */
export const readFlag = (value: unknown): boolean | undefined => words[String(value).trim().toLowerCase()];

const toNumber = (value: unknown): unknown =>
  typeof value === 'string' && value.trim() !== '' ? Number(value) : value;

const isPrintable = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

const toHeaders = (value: unknown): Record<string, string> | undefined => {
  const entries = isRecord(value) ? Object.entries(value).filter(([, text]) => text !== undefined) : undefined;
  if (!entries?.every(([, text]) => isPrintable(text))) return undefined;
  return Object.fromEntries(entries.map(([name, text]) => [name, String(text)]));
};

const priceNames = ['input', 'output', 'cacheRead', 'cacheWrite'];

const isPrices = (value: unknown): boolean =>
  isRecord(value) &&
  ['input', 'output'].every((name) => value[name] !== undefined) &&
  Object.entries(value).every(
    ([name, price]) =>
      priceNames.includes(name) && (price === undefined || (isNumber(price, 0) && Number.isFinite(price))),
  );

/** Node's timers run for at most this many milliseconds (24 days); a longer time would be none at all. */
const longestTimer = 2 ** 31 - 1;

const readers: Record<OptionKind, (value: unknown) => { value: unknown } | { expected: string }> = {
  any: (value) => ({ value }),
  text: (value) =>
    typeof value === 'string' || typeof value === 'number' || value === false
      ? { value: value === false ? '' : String(value).trim() }
      : { expected: 'text' },
  flag: (value) => {
    const flag = readFlag(value);
    return flag === undefined ? { expected: 'true or false' } : { value: flag };
  },
  count: (value) => {
    const count = toNumber(value);
    return isNumber(count, 1) && (Number.isInteger(count) || count === Number.POSITIVE_INFINITY)
      ? { value: count }
      : { expected: 'a whole number above 0' };
  },
  times: (value) =>
    isNumber(toNumber(value), 0) && Number.isSafeInteger(toNumber(value))
      ? { value: toNumber(value) }
      : { expected: 'a whole number that is not negative' },
  amount: (value) =>
    isNumber(toNumber(value), 0) ? { value: toNumber(value) } : { expected: 'a number that is not negative' },
  sum: (value) =>
    isNumber(toNumber(value), Number.MIN_VALUE) ? { value: toNumber(value) } : { expected: 'a number above 0' },
  duration: (value) =>
    isNumber(toNumber(value), 1)
      ? { value: Math.min(Math.ceil(Number(value)), longestTimer) }
      : { expected: 'a number of milliseconds, at least 1' },
  headers: (value) => {
    const headers = toHeaders(value);
    return headers ? { value: headers } : { expected: 'names with their texts, as in {X-Team: red}' };
  },
  prices: (value) =>
    isPrices(value)
      ? { value }
      : {
          expected: `dollars per million tokens, as in {input: 1.5, output: 6} (also ${priceNames.slice(2).join(', ')})`,
        },
};

const read = (option: OptionName, value: unknown, source: string): unknown => {
  if (value === null) return null;
  const result = readers[option.kind](value);
  if ('expected' in result) throw badOption(option.written ?? option.name, value, result.expected, source);
  return result.value;
};

/** Sorts the options of one source, and checks the values of the harness's own. `null` stays: it unsets what weaker sources say. */
export const toLayer = (
  values: Readonly<Record<string, unknown>>,
  source: string,
  trusted: boolean,
  inCall = false,
): Layer => {
  // Without a prototype, an option with the name of one of its parts is an option like any other.
  const layer: Layer = { source, trusted, own: {}, thresholds: {}, parameters: Object.create(null) };
  const keys = inCall ? callKeys : fileKeys;
  for (const [key, value] of Object.entries(values)) {
    const option = keys.get(key);
    if (value === undefined) continue;
    if (option) layer.own[option.name as HarnessOption] = read(option, value, source);
    else if (isThreshold(key)) layer.thresholds[key] = value;
    else layer.parameters[key] = value;
  }
  return layer;
};

/** The strongest source's value; undefined where none has one or the strongest unsets it. */
export const pick = (layers: readonly Layer[], name: HarnessOption): Picked | undefined => {
  const layer = layers.find(({ own }) => own[name] !== undefined);
  const value = layer?.own[name];
  return !layer || value === null || value === undefined
    ? undefined
    : { value, source: layer.source, trusted: layer.trusted };
};

const prefix = 'extra_body.';

// One spelling for `extra_body.x` and `extra_body: {x}`, so that sources can add to one another.
const withDots = (parameters: Record<string, unknown>): Record<string, unknown> => {
  const { extra_body: extra, ...rest } = parameters;
  if (!isRecord(extra)) return parameters;
  return { ...rest, ...Object.fromEntries(Object.entries(extra).map(([key, value]) => [prefix + key, value])) };
};

const setAt = (target: Record<string, unknown>, path: readonly string[], value: unknown): void => {
  const [name, ...deeper] = path as [string, ...string[]];
  if (deeper.length === 0) {
    target[name] = value;
    return;
  }
  const inner = Object.assign(Object.create(null), isRecord(target[name]) ? target[name] : {});
  setAt(inner, deeper, value);
  target[name] = inner;
};

/** The provider's parameters of all sources, the stronger over the weaker, without those that are unset. `extra_body.x` is gathered. */
export const mergeParameters = (layers: readonly Layer[]): Record<string, unknown> => {
  const merged: Record<string, unknown> = Object.assign(
    Object.create(null),
    ...layers.map(({ parameters }) => withDots(parameters)).toReversed(),
  );
  const plain: Record<string, unknown> = Object.create(null);
  const extra: Record<string, unknown> = Object.create(null);
  for (const [key, value] of Object.entries(merged)) {
    if (value === null) continue;
    if (key.startsWith(prefix)) setAt(extra, key.slice(prefix.length).split('.'), value);
    else plain[key] = value;
  }
  return Object.keys(extra).length > 0 ? { ...plain, extra_body: extra } : plain;
};
