import { isRecord } from '../../shape.js';

/** What a provider would refuse a request for; none where it is right. */
export type Rules = (body: Record<string, unknown>) => string[];

/** Fields that the provider does not know. */
export const unknownFields = (value: Record<string, unknown>, known: readonly string[], where: string): string[] =>
  Object.keys(value)
    .filter((field) => !known.includes(field))
    .map((field) => `${where}.${field}: unknown field`);

/** Whether a text is a JSON object. */
export const isJsonObject = (text: unknown): boolean => {
  try {
    return typeof text === 'string' && isRecord(JSON.parse(text));
  } catch {
    return false;
  }
};
