import type { Ajv, ErrorObject, Options, ValidateFunction } from 'ajv';
import { describeProblem } from './describe-problem.js';
import { isRecord } from './is-record.js';
import { messageOf } from './message-of.js';
import { fixedArguments, toCheckedParameters } from './parameters.js';
import type { JsonSchema } from './tool.js';

/** What validation found: nothing, problems of the arguments (the model's to mend), or a schema that is no schema. */
export type Validation =
  | { kind: 'valid' }
  | { kind: 'invalid'; problems: string[] }
  | { kind: 'bad_schema'; problem: string };

type Checker = { validate: ValidateFunction } | { problem: string };

// Every schema gets an instance of its own: instances keep what they compiled and refuse two schemas of one `$id`. What is
// unknown (keywords, formats) is let through; the meta-schema is not needed, since compiling checks each keyword's type.
const options: Options = {
  strict: false,
  // Else `constructor` and the like would count as given.
  ownProperties: true,
  allErrors: true,
  verbose: true,
  logger: false,
  validateSchema: false,
  meta: false,
};

// Loaded at the first call, so that a program that calls no tool does not pay for it.
const loadDialects = async () => {
  const { Ajv, Ajv2020, formats } = await import('./ajv-dialects.js');
  // The pattern that comes with the formats for `url` takes quadratic time.
  const withFormats = (ajv: Ajv): Ajv => (formats.default(ajv) as Ajv).addFormat('url', (text) => URL.canParse(text));
  return {
    draft2020: () => withFormats(new Ajv2020(options)),
    draft7: () => withFormats(new Ajv(options)),
  };
};

// OpenAPI's `nullable`, which servers leave in their schemas: Ajv refuses the whole schema where it stands without a type.
const withoutNullable = (schema: JsonSchema): JsonSchema =>
  JSON.parse(
    JSON.stringify(toCheckedParameters(schema), (key, value) =>
      key === 'nullable' && typeof value === 'boolean' ? undefined : value,
    ),
  );

const compile = async (schema: JsonSchema): Promise<Checker> => {
  const { draft2020, draft7 } = await loadDialects();
  const dialect = String(schema['$schema'] ?? '');
  // A schema that does not say its dialect is 2020-12 where that reads it, else draft-07 (tuples as `items: […]`).
  const candidates = /draft-0[4-7]/.test(dialect)
    ? [draft7]
    : /2019-09|2020-12/.test(dialect)
      ? [draft2020]
      : [draft2020, draft7];
  let problem = '';
  for (const read of [toCheckedParameters, withoutNullable]) {
    for (const candidate of candidates) {
      try {
        return { validate: candidate().compile(read(schema)) };
      } catch (error) {
        problem ||= messageOf(error);
      }
    }
  }
  return { problem };
};

// Compiling is a pure function of the schema: remembered as long as the schema object lives, so that a registry pays once.
const compiled = new WeakMap<JsonSchema, Promise<Checker>>();

const checkerOf = (schema: JsonSchema): Promise<Checker> => {
  const known = compiled.get(schema) ?? compile(schema);
  compiled.set(schema, known);
  return known;
};

const most = 8;

/**
 * What is wrong with the model's part of the arguments: nothing of a fixed value is told, and none is the model's to mend.
 * `keys` are the names of the fixed ones.
 */
const ownErrors = (errors: readonly ErrorObject[], keys: readonly string[]): ErrorObject[] => {
  if (keys.length === 0) return [...errors];
  const paths = keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  return errors
    .filter(({ instancePath }) => !paths.some((path) => instancePath === path || instancePath.startsWith(`${path}/`)))
    .map((error) =>
      error.instancePath === '' && isRecord(error.data)
        ? { ...error, data: Object.fromEntries(Object.entries(error.data).filter(([key]) => !keys.includes(key))) }
        : error,
    );
};

/** Checks merged arguments (the model's, with fixed values over them) against a tool's schema. Never rejects. */
export const validate = async (schema: JsonSchema, values: Record<string, unknown>): Promise<Validation> => {
  try {
    const checker = await checkerOf(schema);
    if ('problem' in checker) return { kind: 'bad_schema', problem: checker.problem };
    if (checker.validate(values)) return { kind: 'valid' };
    const errors = ownErrors(checker.validate.errors ?? [], Object.keys(fixedArguments(schema)));
    if (errors.length === 0) return { kind: 'valid' };
    // Of alternatives, what is wrong with each says more than that none fits.
    const leaves = errors.filter(({ keyword }) => !['anyOf', 'oneOf', 'if'].includes(keyword));
    const problems = [...new Set((leaves.length > 0 ? leaves : errors).slice(0, most + 1).map(describeProblem))];
    return { kind: 'invalid', problems: problems.length > most ? [...problems.slice(0, most), '…'] : problems };
  } catch (error) {
    return { kind: 'bad_schema', problem: messageOf(error) };
  }
};
