import { isRecord } from './shape.js';

/** Arguments in a reply: a JSON value, or the raw text where that is no JSON, so that the model can be told. No text is `{}`. */
export const readArguments = (value: unknown): unknown => {
  if (typeof value !== 'string') return value ?? {};
  if (value.trim() === '') return {};
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
};

/**
 * Arguments of an earlier call as the object that every provider takes. What the model wrote as no JSON, or as JSON that is no
 * object, stands under `invalid_arguments`: the output of the call says what was wrong with it.
 */
export const toArgumentsObject = (value: unknown): Record<string, unknown> => {
  const read = readArguments(value);
  return isRecord(read) ? read : { invalid_arguments: read };
};
