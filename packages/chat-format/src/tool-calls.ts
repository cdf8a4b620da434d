import { type Address, addressOf } from './address.js';
import type { Message } from './message.js';

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

/** A call and what came of it. `outputAddress` is null and `output` undefined where there is no readable output. */
export type ToolCallPair = {
  callId: string | null;
  name: string;
  arguments: unknown;
  role: string;
  callAddress: Address;
  outputAddress: Address | null;
  output: unknown;
  /** The output as it was stored, with `step`, time stamps and receipts. */
  envelope?: Record<string, unknown>;
};

/** How a call ended; `success` is null where nobody knows. */
export type ToolCallStatus = {
  success: boolean | null;
  reason: 'output' | 'exit_status' | 'exception' | 'error' | 'missing_output';
  exception?: string;
  exitStatus?: number;
  error?: string;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const parseObject = (content: unknown): Record<string, unknown> | undefined => {
  if (isRecord(content)) return content;
  if (typeof content !== 'string') return undefined;
  try {
    const value: unknown = JSON.parse(content);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

const idOf = (fields: Record<string, unknown>): { id?: string } => {
  const id = textOf(fields['id']) ?? textOf(fields['call_id']) ?? textOf(fields['tool_call_id']);
  return id === undefined ? {} : { id };
};

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
  const inner = isRecord(fields['function']) ? fields['function'] : {};
  const name = textOf(fields['name']) ?? textOf(inner['name']);
  if (name === undefined) return undefined;
  return { ...idOf(fields), name, arguments: argumentsOf(fields['arguments'] ?? inner['arguments']), fields };
};

/** Reads the content of an output. Undefined where it is not a JSON object. */
export const parseOutput = (content: unknown): ParsedOutput | undefined => {
  const fields = parseObject(content);
  if (!fields) return undefined;
  const optional = Object.entries({
    name: textOf(fields['name']),
    error: textOf(fields['error']),
    step: textOf(fields['step']),
  });
  return {
    ...idOf(fields),
    ...Object.fromEntries(optional.filter(([, value]) => value !== undefined)),
    content: fields['content'],
    ...(Object.hasOwn(fields, 'meta') ? { meta: fields['meta'] } : {}),
    fields,
  };
};

/** Writes the content of a `function_call`. */
export const printCall = (call: { id?: string; name: string; arguments: unknown }): string =>
  JSON.stringify({ name: call.name, arguments: call.arguments, id: call.id });

/**
 * Pairs each call with its output by id, first in, first out: an output belongs to the oldest call before it that has its id
 * and no output yet. Calls that can't be read, and outputs without a call, make no entry; an output that can't be read is no
 * output. Linear in the number of messages.
 */
export const pairToolCalls = (chat: readonly Message[], source?: string): ToolCallPair[] => {
  const pairs: ToolCallPair[] = [];
  const open = new Map<string, { pairs: ToolCallPair[]; next: number }>();
  for (const [index, message] of chat.entries()) {
    if (message.role === 'function_call' || message.role === 'mcp_call') {
      const call = parseCall(message.content);
      if (!call) continue;
      const pair: ToolCallPair = {
        callId: call.id ?? null,
        name: call.name,
        arguments: call.arguments,
        role: message.role,
        callAddress: addressOf(index, source),
        outputAddress: null,
        output: undefined,
      };
      pairs.push(pair);
      if (call.id === undefined) continue;
      const queue = open.get(call.id);
      if (queue) queue.pairs.push(pair);
      else open.set(call.id, { pairs: [pair], next: 0 });
    } else if (message.role === 'function_call_output') {
      const output = parseOutput(message.content);
      const queue = output?.id === undefined ? undefined : open.get(output.id);
      const pair = queue?.pairs[queue.next];
      if (!output || !queue || !pair) continue;
      queue.next++;
      pair.outputAddress = addressOf(index, source);
      pair.output = output.content;
      pair.envelope = output.fields;
    }
  }
  return pairs;
};

const exceptionText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/**
 * Whether a call succeeded. A failure is JSON content with an `exception` or a non-zero `exit_status`, or an `error` in the
 * envelope other than `truncated`. Content that is not JSON is a success; without an output nobody knows.
 */
export const toolCallStatus = (pair: Pick<ToolCallPair, 'output' | 'outputAddress' | 'envelope'>): ToolCallStatus => {
  if (pair.outputAddress === null) return { success: null, reason: 'missing_output' };
  const content = parseObject(pair.output);
  const envelopeError = textOf(pair.envelope?.['error']);
  const error = envelopeError === undefined ? {} : { error: envelopeError };
  const exception = content?.['exception'];
  if (exception !== undefined && exception !== null) {
    return { success: false, reason: 'exception', exception: exceptionText(exception), ...error };
  }
  if (envelopeError !== undefined && envelopeError !== 'truncated')
    return { success: false, reason: 'error', ...error };
  const exitStatus = content?.['exit_status'];
  if (typeof exitStatus === 'number') return { success: exitStatus === 0, reason: 'exit_status', exitStatus, ...error };
  return { success: true, reason: 'output', ...error };
};
