import { parseJson } from '@colophon/chat-format';
import { badFormat } from './errors.js';
import { type Format, type FormatInput, isZodSchema, type ZodSchema } from './format.js';

/** An answer's value, or what is wrong with it. */
export type Checked = { object: unknown } | { problem: string };

const most = 8;

const told = (problems: readonly string[]): string =>
  [...problems.slice(0, most), ...(problems.length > most ? ['…'] : [])].join('; ');

const checkZod = async (value: unknown, schema: ZodSchema): Promise<Checked> => {
  const { z } = await import('zod');
  const result = await z.safeParseAsync(schema as never, value);
  if (result.success) return { object: result.data };
  return {
    problem: told(
      result.error.issues.map(({ path, message }) => `${path.length > 0 ? path.join('.') : 'the value'}: ${message}`),
    ),
  };
};

const compile = async (schema: Record<string, unknown>) => {
  const { Ajv, Ajv2020, formats } = await import('./ajv-dialects.js');
  const Dialect = /draft-0[4-7]/.test(String(schema['$schema'])) ? Ajv : Ajv2020;
  const { $schema: _, ...rest } = schema;
  const ajv = new Dialect({ strict: false, allErrors: true, logger: false, validateSchema: false });
  formats.default(ajv);
  return ajv.compile(rest);
};

/** Throws `bad_format` for a schema that answers can't be checked by; called before anything is sent. */
export const assertSchema = async (format: Format): Promise<void> => {
  if (format.kind !== 'json_schema') return;
  try {
    await compile(format.schema);
  } catch (error) {
    throw badFormat(`the schema can't be used (${error instanceof Error ? error.message : error})`, error);
  }
};

const checkJsonSchema = async (value: unknown, schema: Record<string, unknown>): Promise<Checked> => {
  const validate = await compile(schema);
  if (validate(value)) return { object: value };
  const problems = (validate.errors ?? []).map(({ instancePath, message, params }) => {
    const place = instancePath === '' ? 'the value' : instancePath.slice(1).replaceAll('/', '.');
    const extra = 'additionalProperty' in params ? ` (\`${params['additionalProperty']}\`)` : '';
    return `${place} ${message}${extra}`;
  });
  return { problem: told(problems) };
};

/**
 * Reads an answer's text as the JSON that its format asked for, also out of a fence, and checks it: by the zod schema where
 * that was given (so that its transformations apply), else by the JSON Schema.
 */
export const checkFormat = async (text: string, format: Format, given: FormatInput): Promise<Checked> => {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return { problem: text.trim() === '' ? 'the answer is empty' : 'the answer is no JSON' };
  }
  if (isZodSchema(given)) return checkZod(value, given);
  if (format.kind === 'json_schema') return checkJsonSchema(value, format.schema);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { object: value }
    : { problem: 'the answer is no JSON object' };
};
