/** A `function_call` or `mcp_call` as data; `fields` holds the object as it was stored. */
export type ParsedCall = { id?: string; name: string; arguments: unknown; fields: Record<string, unknown> };

/** A `function_call_output` as data; `meta` is present where the key is, whatever it holds. */
export type ParsedOutput = {
  id?: string;
  name?: string;
  content: unknown;
  error?: string;
  step?: string;
  meta?: unknown;
  fields: Record<string, unknown>;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const openingBrace = 123;

/** White space of JSON. */
const isBlank = (code: number): boolean => code === 32 || code === 9 || code === 10 || code === 13;

// Most outputs are plain text, and an exception costs more than reading them.
const mayBeObject = (text: string): boolean => {
  let at = 0;
  while (isBlank(text.charCodeAt(at))) at++;
  return text.charCodeAt(at) === openingBrace;
};

/** A JSON object, as such or as text; undefined for anything else. */
export const parseObject = (content: unknown): Record<string, unknown> | undefined => {
  if (isRecord(content)) return content;
  if (typeof content !== 'string' || !mayBeObject(content)) return undefined;
  try {
    const value: unknown = JSON.parse(content);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** A text that is not empty, or a number as text. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

const idOf = (fields: Record<string, unknown>): string | undefined =>
  textOf(fields['id']) ?? textOf(fields['call_id']) ?? textOf(fields['tool_call_id']);

const argumentsOf = (value: unknown): unknown => {
  if (typeof value !== 'string') return value ?? {};
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};

/**
 * Reads the content of a call, flat (`{name, arguments, id}`) or nested (`{id, function: {name, arguments}}`). `arguments`
 * is a JSON value, `{}` where it is missing, or the text as it stands where that is no JSON. Undefined where the content is
 * not a JSON object or has no name.
 */
export const parseCall = (content: unknown): ParsedCall | undefined => {
  const fields = parseObject(content);
  if (!fields) return undefined;
  const inner = isRecord(fields['function']) ? fields['function'] : undefined;
  const name = textOf(fields['name']) ?? textOf(inner?.['name']);
  if (name === undefined) return undefined;
  const id = idOf(fields);
  const values = argumentsOf(fields['arguments'] ?? inner?.['arguments']);
  return id === undefined ? { name, arguments: values, fields } : { id, name, arguments: values, fields };
};

/** Reads the content of an output. Undefined where it is not a JSON object. */
export const parseOutput = (content: unknown): ParsedOutput | undefined => {
  const fields = parseObject(content);
  if (!fields) return undefined;
  const [id, name, error, step] = [
    idOf(fields),
    textOf(fields['name']),
    textOf(fields['error']),
    textOf(fields['step']),
  ];
  const output: ParsedOutput =
    id === undefined ? { content: fields['content'], fields } : { id, content: fields['content'], fields };
  if (name !== undefined) output.name = name;
  if (error !== undefined) output.error = error;
  if (step !== undefined) output.step = step;
  if (Object.hasOwn(fields, 'meta')) output.meta = fields['meta'];
  return output;
};

/** Writes the content of a `function_call`. */
export const printCall = (call: { id?: string; name: string; arguments: unknown }): string =>
  JSON.stringify({ name: call.name, arguments: call.arguments, id: call.id });
