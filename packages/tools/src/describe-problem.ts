import type { ErrorObject } from 'ajv';
import { jsonText } from './json-text.js';
import { headOf } from './well-formed.js';

const brief = (value: unknown, length = 80): string => {
  const text = jsonText(value) ?? String(value);
  return text.length > length ? `${headOf(text, length)}…` : text;
};

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

const received = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? `${typeOf(value)} ${brief(value)}`
    : value === null
      ? 'null'
      : `${typeOf(value)} ${brief(value)}`;

// /items/2/name → items[2].name
const readablePath = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`), '');

const below = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const known = (properties: unknown): string =>
  typeof properties === 'object' && properties !== null
    ? Object.keys(properties).slice(0, 30).join(', ') || 'none'
    : 'none';

const describers: Record<string, (error: ErrorObject, path: string) => string> = {
  required: ({ params }, path) => `${below(path, params['missingProperty'])}: required, but missing`,
  additionalProperties: ({ params, parentSchema }, path) =>
    `${below(path, params['additionalProperty'])}: not known here; known: ${known(parentSchema?.['properties'])}`,
  type: ({ params, data }, path) =>
    `${path}: expected ${[params['type']].flat().join(' or ')}, received ${received(data)}`,
  enum: ({ params, data }, path) =>
    `${path}: expected one of ${brief(params['allowedValues'], 400)}, received ${received(data)}`,
  const: ({ params, data }, path) => `${path}: expected ${brief(params['allowedValue'])}, received ${received(data)}`,
  pattern: ({ params, data }, path) =>
    `${path}: expected text that matches ${params['pattern']}, received ${received(data)}`,
  format: ({ params, data }, path) => `${path}: expected ${params['format']}, received ${received(data)}`,
  'false schema': ({ data }, path) => `${path}: not allowed, received ${received(data)}`,
};

/** One validation error as `path: expected …, received …`. */
export const describeProblem = (error: ErrorObject): string => {
  const path = readablePath(error.instancePath);
  const describe = describers[error.keyword];
  const text = describe
    ? describe(error, path)
    : `${path}: ${error.message ?? error.keyword}, received ${received(error.data)}`;
  return text.startsWith(': ') ? `the arguments${text}` : text;
};
