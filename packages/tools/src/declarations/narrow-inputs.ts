import type { Message } from '@colophon/chat-format';
import { callArguments } from '../call-arguments.js';
import { badDeclaration, unknownName } from '../errors.js';
import { isRecord } from '../is-record.js';
import type { JsonSchema } from '../tool.js';

// They may be fixed, and naming inputs does not hide them.
const isCallArgument = (name: string): boolean => Object.hasOwn(callArguments, name);

const typesOf = (property: unknown): unknown[] => (isRecord(property) ? [property['type']].flat() : []);

const convert = (name: string, text: string, property: unknown, message: Message): unknown => {
  const types = typesOf(property);
  if (types.length === 0 || types.includes('string') || types.every((type) => type === undefined)) return text;
  const value = ((): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  })();
  const fits: Record<string, (value: unknown) => boolean> = {
    integer: Number.isSafeInteger,
    number: Number.isFinite,
    boolean: (value) => typeof value === 'boolean',
    array: Array.isArray,
    object: isRecord,
    null: (value) => value === null,
  };
  if (types.some((type) => fits[String(type)]?.(value))) return value;
  if (types.includes('array')) return text.split(',');
  throw badDeclaration(message, `the input \`${name}\` takes ${types.join(' or ')}, not \`${text}\``);
};

/**
 * The schema of a task with only the named inputs visible: `a b` shows a and b, `x=5` fixes and hides x (typed as the schema
 * says) and by itself hides no other, `none` or `noinputs` hides all. Fixed values go to `defaults`.
 */
export const narrowInputs = (schema: JsonSchema, words: readonly string[], message: Message): JsonSchema => {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const check = (name: string): string => {
    if (!Object.hasOwn(properties, name) && !isCallArgument(name))
      throw unknownName(message, 'input', name, Object.keys(properties));
    return name;
  };
  const fixed: [string, unknown][] = words
    .filter((word) => word.includes('='))
    .map((word) => [check(word.slice(0, word.indexOf('='))), word.slice(word.indexOf('=') + 1)] as const)
    .map(([name, text]) => [name, convert(name, text, properties[name], message)]);
  const twice = fixed.find(([name], index) => fixed.findIndex(([other]) => other === name) !== index)?.[0];
  if (twice !== undefined) throw badDeclaration(message, `the input \`${twice}\` is given two values`);
  const plain = words.filter((word) => !word.includes('='));
  const none = plain.find((word) => ['none', 'noinputs'].includes(word) && !Object.hasOwn(properties, word));
  if (none !== undefined && plain.length > 1)
    throw badDeclaration(message, `\`${none}\` hides every input, so that no other can be named beside it`);
  const named = none === undefined ? plain.map(check) : [];
  const defaults = { ...(isRecord(schema['defaults']) ? schema['defaults'] : {}), ...Object.fromEntries(fixed) };
  const shown = (name: string): boolean =>
    !Object.hasOwn(defaults, name) &&
    none === undefined &&
    (named.length === 0 || named.includes(name) || isCallArgument(name));
  const required = Array.isArray(schema['required']) ? schema['required'].filter((name) => shown(String(name))) : [];
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => shown(name))),
    required,
    ...(Object.keys(defaults).length > 0 ? { defaults } : {}),
  };
};
