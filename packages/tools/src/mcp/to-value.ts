import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../is-record.js';
import { toolResult } from '../tool-result.js';

/** Characters of base64 data that a result keeps of one image, sound or file, unless told otherwise. */
const defaultMaxDataLength = 32_768;

const bytesOf = (base64: string): number =>
  Math.floor((base64.length * 3) / 4) - (base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0);

// `data` of images and sounds, `blob` of embedded files.
const withoutLargeData = (item: unknown, limit: number): unknown => {
  if (!isRecord(item)) return item;
  if (isRecord(item['resource'])) return { ...item, resource: withoutLargeData(item['resource'], limit) };
  const key = ['data', 'blob'].find((name) => typeof item[name] === 'string' && item[name].length > limit);
  if (key === undefined) return item;
  const { [key]: data, ...rest } = item;
  return { ...rest, bytes: bytesOf(String(data)), note: `left out: more than ${limit} characters of base64` };
};

const isPlainText = (item: unknown): item is { text: string } =>
  isRecord(item) && item['type'] === 'text' && typeof item['text'] === 'string';

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const contentOf = (result: Record<string, unknown>, limit: number): unknown => {
  const { content, structuredContent: structured } = result;
  const items = Array.isArray(content) ? content : [];
  const [first] = items;
  const text = items.length === 1 && isPlainText(first) ? first.text : undefined;
  if (structured !== undefined) {
    const repeated = items.length === 0 || (text !== undefined && isDeepStrictEqual(readJson(text), structured));
    return repeated
      ? structured
      : { content: items.map((item) => withoutLargeData(item, limit)), structuredContent: structured };
  }
  if (text !== undefined) return text;
  if (items.length > 0)
    return items.length === 1 ? withoutLargeData(first, limit) : items.map((item) => withoutLargeData(item, limit));
  // Servers of the first protocol answered with a value of any kind.
  return result['toolResult'];
};

const failureOf = (value: unknown): unknown => {
  if (Array.isArray(value) && value.every(isPlainText)) return value.map(({ text }) => text).join('\n');
  const read = typeof value === 'string' && value.startsWith('{') ? readJson(value) : undefined;
  return isRecord(read) && 'exception' in read ? read : value;
};

/**
 * A server's answer to a call as the value of a tool: one text as text; `structuredContent` as the JSON that it is, beside the items
 * where these say something else; any other item, or several, as JSON; nothing as nothing. Data above the limit is replaced by its size.
 * What the server calls an error becomes a failed result.
 */
export const toValue = (result: Record<string, unknown>, limit = defaultMaxDataLength): unknown => {
  const value = contentOf(result, limit);
  return result['isError'] === true
    ? toolResult({ content: failureOf(value) ?? 'the server says that the call failed, and not why', error: 'error' })
    : value;
};
