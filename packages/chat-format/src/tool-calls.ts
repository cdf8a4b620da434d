import { type Address, addressOf } from './address.js';
import type { Message } from './message.js';
import { type ParsedOutput, parseCall, parseObject, parseOutput, textOf } from './tool-messages.js';

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

/** `pairToolCalls` where some outputs, by their index, are parsed already. */
export const pairCalls = (
  chat: readonly Message[],
  source?: string,
  parsed?: ReadonlyMap<number, ParsedOutput>,
): ToolCallPair[] => {
  const pairs: ToolCallPair[] = [];
  const open = new Map<string, { pairs: ToolCallPair[]; next: number }>();
  for (let index = 0; index < chat.length; index++) {
    const message = chat[index]!;
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
      const output = parsed?.get(index) ?? parseOutput(message.content);
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

/**
 * Pairs each call with its output by id, first in, first out: an output belongs to the oldest call before it that has its id
 * and no output yet. Calls that can't be read, and outputs without a call, make no entry; an output that can't be read is no
 * output. Linear in the number of messages.
 */
export const pairToolCalls = (chat: readonly Message[], source?: string): ToolCallPair[] => pairCalls(chat, source);

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
