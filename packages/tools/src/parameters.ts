import { isRecord } from './is-record.js';
import type { JsonSchema } from './tool.js';

const objectAt = (schema: JsonSchema, key: string): Record<string, unknown> => {
  const value = schema[key];
  return isRecord(value) ? value : {};
};

/** Values that override a call's arguments. */
export const fixedArguments = (schema: JsonSchema): Record<string, unknown> => objectAt(schema, 'defaults');

/** The schema as a model gets it: an object, without the fixed values, the inputs that they fix, and what is hidden. */
export const toSentParameters = (schema: JsonSchema): JsonSchema => {
  const { defaults: _, hidden: _hidden, ...rest } = schema;
  const fixed = fixedArguments(schema);
  const properties = Object.fromEntries(
    Object.entries(objectAt(schema, 'properties')).filter(([name]) => !Object.hasOwn(fixed, name)),
  );
  const required = Array.isArray(schema['required'])
    ? schema['required'].filter((name) => !Object.hasOwn(fixed, name))
    : undefined;
  const { required: _required, ...other } = rest;
  return { type: 'object', ...other, properties, ...(required && required.length > 0 ? { required } : {}) };
};

/** The schema that merged arguments are checked against: hidden ones are known, and whatever a fixed value is, it passes. */
export const toCheckedParameters = (schema: JsonSchema): JsonSchema => {
  const { defaults: _, hidden: _hidden, $schema: _dialect, $async: _async, ...rest } = schema;
  const fixed = Object.keys(fixedArguments(schema));
  const hidden = objectAt(schema, 'hidden');
  if (fixed.length === 0 && Object.keys(hidden).length === 0) return rest;
  const free = Object.fromEntries(fixed.map((name) => [name, true]));
  return { ...rest, properties: { ...hidden, ...objectAt(schema, 'properties'), ...free } };
};
