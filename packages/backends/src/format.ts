import type { RequestOptions } from './backend.js';
import { badFormat } from './errors.js';
import { isShortForm, toSchemaOfShortForm, typeNames } from './short-form.js';

/** What `format` takes: `json`, `json_object`, a JSON Schema, a zod schema, the short form, or the text of one of them. */
export type FormatInput = string | Record<string, unknown> | ZodSchema;

/** A zod 4 schema, of whatever copy of zod. */
export type ZodSchema<Output = unknown> = { _zod: { output: Output } };

/** A format as backends get it. */
export type Format = NonNullable<RequestOptions['format']>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

// What providers take as the name of a schema.
const cleanName = (name: unknown): string =>
  (typeof name === 'string' ? name.replaceAll(/[^\w-]/g, '_').slice(0, 64) : '') || 'response';

const jsonSchema = (name: unknown, schema: Record<string, unknown>): Format => ({
  kind: 'json_schema',
  name: cleanName(name),
  schema,
});

/** Tells a zod 4 schema from other values. */
export const isZodSchema = (value: unknown): value is ZodSchema => isObject(value) && isObject(value['_zod']);

const fromZod = async (schema: ZodSchema): Promise<Format> => {
  const { z } = await import('zod');
  try {
    const { $schema: _, ...rest } = z.toJSONSchema(schema as never, { io: 'input' }) as Record<string, unknown>;
    return jsonSchema(rest['title'], rest);
  } catch (error) {
    throw badFormat(`the zod schema has no JSON form (${error instanceof Error ? error.message : error})`, error);
  }
};

// The forms that requests of the providers have: {type: json_schema, schema} and {type: json_schema, json_schema: {schema}}.
const fromRequestForm = (given: Record<string, unknown>): Format => {
  if (given['type'] === 'json_object') return { kind: 'json_object' };
  const inner = isObject(given['json_schema']) ? given['json_schema'] : given;
  if (!isObject(inner['schema'])) throw badFormat('a `json_schema` must hold a `schema`');
  return jsonSchema(inner['name'], inner['schema']);
};

// `name` is the name of the schema, unless it is the name of a type: then it is a property.
const fromShortForm = (given: Record<string, unknown>): Format => {
  const { name, ...properties } = given;
  return typeof name === 'string' && !Object.hasOwn(typeNames, name)
    ? jsonSchema(name, toSchemaOfShortForm(properties))
    : jsonSchema(undefined, toSchemaOfShortForm(given));
};

const fromObject = async (given: Record<string, unknown>): Promise<Format> => {
  const { format, type, name, ...rest } = given;
  if (
    Object.keys(given).length === 1 &&
    isObject(format) &&
    (format['type'] === 'json_schema' || format['type'] === 'json_object')
  ) {
    return fromRequestForm(format);
  }
  if (type === 'json_object' || type === 'json_schema') return fromRequestForm(given);
  if (isShortForm(given)) return fromShortForm(given);
  return typeof name === 'string'
    ? jsonSchema(name, type === undefined ? rest : { type, ...rest })
    : jsonSchema(given['title'], given);
};

// YAML's flow form is JSON with unquoted words: what a person writes behind `format:`.
const fromText = async (text: string): Promise<Format> => {
  const word = text.trim();
  if (['json', 'json_object'].includes(word)) return { kind: 'json_object' };
  if (!word.startsWith('{')) throw badFormat(`received ${JSON.stringify(word.slice(0, 80))}`);
  const { parseYaml } = await import('./parse-yaml.js');
  let value: unknown;
  try {
    value = parseYaml(word);
  } catch (error) {
    throw badFormat(
      `${JSON.stringify(word.slice(0, 80))} can't be read (${error instanceof Error ? error.message.split('\n')[0] : error})`,
      error,
    );
  }
  if (!isObject(value)) throw badFormat(`received ${JSON.stringify(word.slice(0, 80))}`);
  return fromObject(value);
};

/**
 * Any form of `format` as the JSON Schema that backends get; `json` and `json_object` ask for an object of any form. A JSON
 * Schema passes as it is, whatever a provider's strict mode needs. Throws `bad_format`.
 */
export const toJsonSchema = async (format: FormatInput): Promise<Format> => {
  if (typeof format === 'string') return fromText(format);
  if (isZodSchema(format)) return fromZod(format);
  if (!isObject(format)) throw badFormat(`received ${JSON.stringify(format) ?? typeof format}`);
  return fromObject(format);
};
