import type { RequestOptions } from '../backend.js';
import { isRecord } from '../shape.js';
import { closeObjects, isClosed, mapSchemas } from '../strict-schema.js';

type Schema = Record<string, unknown>;

/** The tool that a model answers through where the API has no form for the schema. */
export const answerTool = 'answer_in_format';

const known = new Set([
  'type',
  'enum',
  'const',
  'anyOf',
  'allOf',
  '$ref',
  '$defs',
  'definitions',
  'description',
  'title',
  'properties',
  'required',
  'additionalProperties',
  'items',
]);
const formats = new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid']);

const isKept = ([key, value]: [string, unknown]): boolean =>
  known.has(key) ||
  (key === 'format' && formats.has(String(value))) ||
  (key === 'minItems' && (value === 0 || value === 1));

/** What the API takes of a schema; the other constraints are told in its description, and are checked when the answer is there. */
const reduce = ({ $schema: _, oneOf, ...schema }: Schema): Schema => {
  const whole = oneOf === undefined ? schema : { ...schema, anyOf: oneOf };
  const entries = Object.entries(whole);
  const dropped = entries.filter((entry) => !isKept(entry));
  if (dropped.length === 0) return whole;
  const told = JSON.stringify(Object.fromEntries(dropped));
  const description = typeof whole['description'] === 'string' ? `${whole['description']} ${told}` : told;
  return { ...Object.fromEntries(entries.filter(isKept)), description };
};

/** A schema as `output_config.format` takes it; undefined where it can't say the same, as for a map of free keys. */
const toOutputSchema = (schema: Schema): Schema | undefined => {
  const closed = closeObjects(schema);
  return isClosed(closed) && isRecord(closed) && (closed['type'] !== undefined || closed['anyOf'] !== undefined)
    ? mapSchemas(closed, reduce)
    : undefined;
};

/** Models from before structured output; platform.claude.com/docs/en/build-with-claude/structured-outputs. */
const withoutFormat = /claude-(?:instant|2|3)|claude-(?:opus|sonnet)-4(?:-0|-20\d{6}|@|$)/;

/** What a format adds to a request. */
export type FormatParts = { system?: string; outputFormat?: { type: 'json_schema'; schema: Schema }; tool?: Schema };

/**
 * A format as the API's structured output; as a tool to answer through, for schemas and models that have none; as a sentence in
 * the system text where only JSON is asked for.
 */
export const toFormatParts = (format: RequestOptions['format'], model: string): FormatParts => {
  if (!format) return {};
  if (format.kind === 'json_object') return { system: 'Answer with one JSON object and nothing else.' };
  const schema = withoutFormat.test(model) ? undefined : toOutputSchema(format.schema);
  if (schema) return { outputFormat: { type: 'json_schema', schema } };
  return {
    system: `Give your final answer by calling the tool ${answerTool}.`,
    tool: {
      type: 'custom',
      name: answerTool,
      description: 'Gives the final answer.',
      input_schema: { type: 'object', ...format.schema },
    },
  };
};
