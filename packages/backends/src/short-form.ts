import { badFormat } from './errors.js';

type Schema = Record<string, unknown>;

/** Names of types in the short form. `X[]` is a list of any of them. */
export const typeNames: Record<string, Schema> = {
  string: { type: 'string' },
  text: { type: 'string' },
  integer: { type: 'integer' },
  int: { type: 'integer' },
  number: { type: 'number' },
  float: { type: 'number' },
  boolean: { type: 'boolean' },
  bool: { type: 'boolean' },
  array: { type: 'array', items: { type: 'string' } },
  object: { type: 'object' },
  null: { type: 'null' },
  any: {},
};

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTypeName = (value: unknown): value is string =>
  typeof value === 'string' && Object.hasOwn(typeNames, value.replace(/(?:\[\])+$/, ''));

const keywords = new Set(
  'title description default examples required items prefixItems additionalProperties minItems maxItems uniqueItems minLength maxLength pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf nullable'.split(
    ' ',
  ),
);

// A key says that an object is a JSON Schema only with a value of the kind that the keyword takes.
const isJsonSchema = (given: Schema): boolean => {
  if (isObject(given['properties']) || isObject(given['$defs']) || 'const' in given) return true;
  if (typeof given['$schema'] === 'string' || typeof given['$ref'] === 'string') return true;
  if (['anyOf', 'oneOf', 'allOf'].some((key) => Array.isArray(given[key]) && (given[key] as unknown[]).every(isObject)))
    return true;
  if (Array.isArray(given['enum']) && !isTypeName(given['enum'][0])) return true;
  const { type, ...rest } = given;
  const typed = Array.isArray(type) ? type.length > 0 && type.every(isTypeName) : isTypeName(type);
  return typed && Object.keys(rest).every((key) => keywords.has(key));
};

/** Whether an object is `{property: type, …}` and no JSON Schema. */
export const isShortForm = (given: Schema): boolean => Object.keys(given).length > 0 && !isJsonSchema(given);

const ofType = (name: unknown, property: string): Schema => {
  if (!isTypeName(name)) {
    throw badFormat(
      `property \`${property}\` has the type ${JSON.stringify(name)}; known types: ${Object.keys(typeNames).join(', ')}, and each with [] behind it`,
    );
  }
  const plain = name.replace(/(?:\[\])+$/, '');
  const depth = (name.length - plain.length) / 2;
  return Array.from({ length: depth }).reduce<Schema>((items) => ({ type: 'array', items }), { ...typeNames[plain] });
};

const ofProperty = (property: string, given: unknown): Schema => {
  if (Array.isArray(given)) {
    const [type, description, ...fallback] = given;
    return {
      ...(isObject(type) ? ofProperty(property, type) : ofType(type, property)),
      ...(typeof description === 'string' && description !== '' ? { description } : {}),
      ...(fallback.length > 0 ? { default: fallback[0] } : {}),
    };
  }
  if (!isObject(given)) return ofType(given, property);
  return isShortForm(given) ? toSchemaOfShortForm(given) : given;
};

/**
 * `{ok: 'boolean', note: ['string', 'short', '-']}` as a JSON Schema. A property is a type's name, `[type, description,
 * default]`, a schema, or a short form again. Those without a default are required, others than these are forbidden.
 */
export const toSchemaOfShortForm = (given: Schema): Schema => {
  const properties = Object.fromEntries(
    Object.entries(given).map(([property, value]) => [property, ofProperty(property, value)]),
  );
  const required = Object.entries(properties).flatMap(([property, schema]) => ('default' in schema ? [] : [property]));
  return { type: 'object', properties, required, additionalProperties: false };
};
