import { usageError } from './errors.js';
import { nearest } from './near.js';
import type { Flag } from './split-flags.js';

type Schema = Record<string, unknown>;

const isRecord = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The types that a schema takes, its alternatives among them; empty where it says none. */
export const schemaTypes = (schema: unknown): string[] => {
  if (!isRecord(schema)) return [];
  const { type, anyOf, oneOf, const: only, enum: values } = schema;
  const own = [type].flat().filter((one): one is string => typeof one === 'string');
  const below = [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list.flatMap(schemaTypes) : []));
  const listed = [...(Array.isArray(values) ? values : []), ...(only === undefined ? [] : [only])].map(
    (value) => typeof value as string,
  );
  return [...new Set([...own, ...below, ...(own.length + below.length > 0 ? [] : listed)])];
};

const toJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const fits: Readonly<Record<string, (value: unknown) => boolean>> = {
  integer: Number.isSafeInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isRecord,
  null: (value) => value === null,
};

/** A word as a value of a schema: text stays text where the schema takes text, else it is read as JSON of a type that fits. */
const toValue = (name: string, text: string, schema: unknown, command: string): unknown => {
  const types = schemaTypes(schema);
  if (types.length === 0 || types.includes('string')) return text;
  const value = toJson(text);
  if (types.some((type) => fits[type]?.(value))) return value;
  if (types.includes('array')) return [itemOf(name, text, schema, command)];
  throw usageError(`--${name} takes ${types.join(' or ')}, not ${text}`, command);
};

const itemOf = (name: string, text: string, schema: unknown, command: string): unknown =>
  toValue(name, text, isRecord(schema) ? schema['items'] : undefined, command);

const plain = (name: string): string => name.replaceAll('-', '_').toLowerCase();

const inputNamed = (flag: Flag, properties: Schema, command: string): { name: string; value?: string } => {
  const names = Object.keys(properties);
  const find = (wanted: string) =>
    names.find((name) => name === wanted) ?? names.find((name) => plain(name) === plain(wanted));
  const found = find(flag.name);
  if (found !== undefined) return { name: found, ...(flag.value === undefined ? {} : { value: flag.value }) };
  const denied = flag.name.startsWith('no-') ? find(flag.name.slice(3)) : undefined;
  if (denied !== undefined && flag.value === undefined && schemaTypes(properties[denied]).includes('boolean'))
    return { name: denied, value: 'false' };
  const near = nearest(flag.name, names);
  const known = near
    ? `did you mean --${near}?`
    : `the task takes ${names.map((name) => `--${name}`).join(' ') || 'no input'}`;
  throw usageError(`unknown input ${flag.written.split('=')[0]}; ${known}`, command);
};

/**
 * The inputs that flags give, typed by the JSON Schema of the task's inputs: `--flour 500`, `--fan` and `--no-fan` for what is true or
 * false, a flag again for each element of a list, JSON for lists and objects. `-` and `_` in names are one.
 */
export const readInputFlags = (flags: readonly Flag[], inputs: Schema, command: string): Record<string, unknown> => {
  const properties = isRecord(inputs['properties']) ? inputs['properties'] : {};
  const values: Record<string, unknown> = {};
  for (const flag of flags) {
    const { name, value } = inputNamed(flag, properties, command);
    const schema = properties[name];
    const types = schemaTypes(schema);
    if (value === undefined) {
      if (!types.includes('boolean')) throw usageError(`--${name} needs a value`, command);
      values[name] = true;
      continue;
    }
    const read = toValue(name, value, schema, command);
    const before = values[name];
    if (before !== undefined && !(Array.isArray(before) && Array.isArray(read)))
      throw usageError(`--${name} is given twice`, command);
    values[name] = Array.isArray(before) ? [...before, ...(read as unknown[])] : read;
  }
  return values;
};

/** `name=value` of `--input` as a flag. */
export const toFlag = (word: string, command: string): Flag => {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
  if (name === undefined || value === undefined) throw usageError(`--input ${word}: expected name=value`, command);
  return { written: `--${name}`, name, value };
};

/** Errors of a task's inputs are wrong usage here: they were given as flags. */
export const asUsage = (error: unknown, command: string): unknown =>
  ['bad_input', 'unknown_input', 'unknown_task'].includes(String((error as { code?: unknown } | undefined)?.code))
    ? usageError((error as Error).message.replace(/\s*Correct \w+; nothing was run\.$|\.$/, ''), command)
    : error;
