import { isRecord } from '../is-record.js';
import type { JsonSchema } from '../tool.js';

/** Keys whose values are schemas by names that anybody chose. */
const named = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/** Keys whose values are data, not schemas. */
const data = new Set(['default', 'const', 'enum', 'examples']);

/**
 * Whether a pattern is checked in a time that any text can bear: one part of it at most repeats without a bound, and no group does. Others
 * may take a time that doubles with each character, in which nothing else happens, also no time limit.
 */
const isQuick = (pattern: string): boolean => {
  const plain = pattern.replace(/\\./gs, 'a').replace(/\[(?:\^?\])?[^\]]*\]/g, 'a');
  const repeats = plain.match(/[*+]|\{\d{1,9},(?:\}|\d{3,9}\})/g) ?? [];
  return repeats.length <= 1 && !/\)[*+{]/.test(plain);
};

const told = (description: unknown, pattern: string): string =>
  `${typeof description === 'string' && description !== '' ? `${description} ` : ''}Pattern: ${pattern}`;

const inner = (key: string, value: unknown): unknown => {
  if (data.has(key)) return value;
  if (Array.isArray(value)) return value.map((part) => inner('', part));
  if (!isRecord(value)) return value;
  return named.has(key)
    ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, inner('', part)]))
    : withQuickPatterns(value);
};

const quickNames = (key: string, value: unknown): unknown =>
  key === 'patternProperties' && isRecord(value)
    ? Object.fromEntries(Object.entries(value).filter(([pattern]) => isQuick(pattern)))
    : value;

/** A server's schema with all patterns that are checked quickly; the others are told in descriptions, and are the server's to check. */
export const withQuickPatterns = (schema: JsonSchema): JsonSchema => {
  const { pattern, ...rest } = schema;
  const slow = typeof pattern === 'string' && !isQuick(pattern);
  const kept = slow ? { ...rest, description: told(schema['description'], pattern) } : schema;
  return Object.fromEntries(Object.entries(kept).map(([key, value]) => [key, inner(key, quickNames(key, value))]));
};
