import type { Meta } from '@colophon/chat-format';
import { isRecord } from './is-record.js';
import { jsonText } from './json-text.js';
import { messageOf } from './message-of.js';
import { failure, longestFailure, type Outcome } from './outcome.js';
import type { ToolFailure, ToolResult } from './tool.js';
import { isToolResult } from './tool-result.js';
import { wellFormed } from './well-formed.js';

// Receipts are evidence, so that none with a field is left out; they are not counted in the content's limit.
const receipts = (meta: readonly unknown[]): Meta[] =>
  meta.filter((entry): entry is Meta => isRecord(entry) && Object.keys(entry).length > 0);

const carriesReceipts = (value: unknown): value is { content: unknown; meta: unknown[] } =>
  isRecord(value) && Object.keys(value).sort().join() === 'content,meta' && Array.isArray(value['meta']);

const textOfBytes = (bytes: Uint8Array): string | undefined => {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
};

const bytesOutcome = (bytes: Uint8Array): Outcome => {
  const content = textOfBytes(bytes);
  return content === undefined
    ? failure(
        'error',
        `The tool returned ${bytes.length} bytes that are no UTF-8 text; it should write them to a file and return the path.`,
      )
    : { content };
};

const valueOutcome = (value: unknown): Outcome => {
  if (value === undefined || value === null) return { content: 'success' };
  if (typeof value === 'string') return { content: wellFormed(value) };
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return { content: String(value) };
  if (value instanceof Error) return failure('error', messageOf(value));
  if (value instanceof Uint8Array) return bytesOutcome(value);
  if (value instanceof ArrayBuffer) return bytesOutcome(new Uint8Array(value));
  const content = jsonText(value);
  return content === undefined
    ? failure('error', `The tool returned a ${typeof value}, which has no text.`)
    : { content };
};

// Receipts are read from whatever stands there.
type Loose<T extends { meta?: unknown }> = Omit<T, 'meta'> & { meta?: unknown };

// A failed result's content is `{"exception": …}`: where the tool wrote it so itself, what else it says stays, but for stack lines.
const failedOutcome = (content: unknown, error: ToolFailure): Outcome => {
  if (!isRecord(content) || !('exception' in content)) {
    const shown = content === undefined || content === null ? undefined : valueOutcome(content);
    return shown?.error === undefined ? failure(error, messageOf(shown?.content)) : { ...shown, error };
  }
  const { exception, stack: _, ...more } = content;
  const bare = failure(error, messageOf(exception));
  const whole = jsonText({ ...JSON.parse(bare.content), ...more }) ?? '';
  return Object.keys(more).length === 0 || whole.length > longestFailure ? bare : { ...bare, content: whole };
};

const resultOutcome = ({ content, error, step, meta }: Loose<ToolResult>): Outcome => ({
  ...(error === undefined || error === 'truncated'
    ? { ...valueOutcome(content), ...(error ? { error } : {}) }
    : failedOutcome(content, error)),
  ...(typeof step === 'string' ? { step } : {}),
  ...(Array.isArray(meta) ? { meta: receipts(meta) } : {}),
});

/** Any value that a tool returned, as what the model sees of it. Never throws. */
export const toOutcome = (value: unknown): Outcome => {
  try {
    return isToolResult(value) || carriesReceipts(value) ? resultOutcome(value) : valueOutcome(value);
  } catch (error) {
    return failure('error', `The tool's result can not be written as JSON: ${messageOf(error)}`);
  }
};
