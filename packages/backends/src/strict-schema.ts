import { isRecord } from './shape.js';

type Schema = Record<string, unknown>;

/** Keywords that hold one schema, a list of schemas, or schemas by name. */
const single = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'];
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const named = ['properties', '$defs', 'definitions', 'patternProperties', 'dependentSchemas'];

/** Applies `change` to a schema and every schema inside it, the inner ones first. */
export const mapSchemas = (schema: Schema, change: (schema: Schema) => Schema): Schema => {
  const copy: Schema = { ...schema };
  const go = (value: unknown): unknown => (isRecord(value) ? mapSchemas(value, change) : value);
  for (const key of single) if (isRecord(copy[key])) copy[key] = go(copy[key]);
  for (const key of lists) if (Array.isArray(copy[key])) copy[key] = copy[key].map(go);
  for (const key of named)
    if (isRecord(copy[key]))
      copy[key] = Object.fromEntries(Object.entries(copy[key]).map(([name, value]) => [name, go(value)]));
  return change(copy);
};

const isObjectSchema = (schema: Schema): boolean =>
  schema['type'] === 'object' ||
  (Array.isArray(schema['type']) && schema['type'].includes('object')) ||
  isRecord(schema['properties']);

/** An object schema that says nothing of further properties admits none; a map (`additionalProperties: {…}`) stays one. */
const closeObject = (schema: Schema): Schema =>
  isObjectSchema(schema) &&
  (schema['additionalProperties'] === undefined || schema['additionalProperties'] === true) &&
  isRecord(schema['properties'])
    ? { ...schema, additionalProperties: false }
    : schema;

/** The same schema with every object that lists its properties closed to others. */
export const closeObjects = (schema: Schema): Schema => mapSchemas(schema, closeObject);

/** Every object of the schema lists its properties and admits no others: the form that structured output asks for. */
export const isClosed = (schema: Schema): boolean => {
  let closed = true;
  mapSchemas(schema, (inner) => {
    if (isObjectSchema(inner) && inner['additionalProperties'] !== false) closed = false;
    return inner;
  });
  return closed;
};

const unknownToStrict = [
  'allOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentRequired',
  'dependentSchemas',
  'patternProperties',
  'default',
  'propertyNames',
  'contains',
  'prefixItems',
];

/**
 * Whether OpenAI's strict mode takes the schema: an object at the root, objects closed, every property required, no keyword
 * beyond its subset. Source: platform.openai.com/docs/guides/structured-outputs, "Supported schemas".
 */
export const isStrict = (schema: Schema): boolean => {
  if (schema['type'] !== 'object' || schema['anyOf'] !== undefined || !isClosed(schema)) return false;
  let strict = true;
  mapSchemas(schema, (inner) => {
    const properties = isRecord(inner['properties']) ? Object.keys(inner['properties']) : [];
    const required = Array.isArray(inner['required']) ? inner['required'] : [];
    if (properties.some((name) => !required.includes(name)) || unknownToStrict.some((key) => Object.hasOwn(inner, key)))
      strict = false;
    return inner;
  });
  return strict;
};
