import type { Message } from '@colophon/chat-format';
import { emitInOrder } from './emit-in-order.js';
import { callMessage, type NamedCall, outputMessage, toNamedCall } from './envelope.js';
import { indexTools } from './registry.js';
import { type Round, runCall } from './run-call.js';
import type { Call, Progress, Tool } from './tool.js';

/** Calls of one round that run at the same time, unless the context says otherwise. */
export const defaultConcurrency = 8;

/** What calling needs from outside. */
export type RunContext = {
  now: () => Date;
  /** Calls that run at the same time; default 8. */
  concurrency?: number | undefined;
  /** Milliseconds a call may take, default 600,000 (ten minutes); a tool's own `timeout` beats it, `Infinity` is none. */
  timeLimit?: number | undefined;
  /** Characters of content that a model gets of one output; default 100,000. */
  maxContentLength?: number | undefined;
  /** Stops the round: every call that has not ended gets an `aborted` output at once. */
  signal?: AbortSignal | undefined;
  /** Gets each output as its call ends, one after the other; awaited. Where it fails, the round stops and `runCalls` rejects. */
  onOutput?: ((message: Message, index: number) => unknown) | undefined;
  onProgress?: ((progress: Progress, call: { id: string; name: string; index: number }) => void) | undefined;
  /** Added to the context that each tool gets. */
  toolContext?: Record<string, unknown> | undefined;
};

/** The `function_call` messages of a round, as they are recorded before any of them runs. */
export const callMessages = (calls: readonly Call[]): Message[] =>
  calls.map((call, index) => callMessage(toNamedCall(call, index)));

const createStop = (signal: AbortSignal | undefined) => {
  const listeners = new Set<(reason: unknown) => void>();
  let stopped: { reason: unknown } | undefined;
  const stop = (reason: unknown) => {
    stopped ??= { reason };
    for (const listener of listeners) listener(reason);
  };
  const onAbort = () => stop(signal?.reason);
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort);
  const onStop: Round['onStop'] = (listener) => {
    if (stopped) listener(stopped.reason);
    else listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return { stop, onStop, close: () => signal?.removeEventListener('abort', onAbort) };
};

/**
 * Runs the calls of one round in parallel and returns their messages, calls and outputs both in the order of the calls.
 * Nothing that a model sent or a tool did makes it reject; only a failing `onOutput` does, after the round is stopped.
 * Linear in calls and tools.
 */
export const runCalls = async (
  calls: readonly Call[],
  registry: readonly Tool[],
  context: RunContext,
): Promise<{ calls: Message[]; outputs: Message[] }> => {
  const named = calls.map(toNamedCall);
  const tools = indexTools(registry);
  const start = context.now().toISOString();
  const { stop, onStop, close } = createStop(context.signal);
  const emitter = emitInOrder(
    named.map(({ id }) => id),
    async (message: Message, index) => context.onOutput?.(message, index),
    stop,
  );
  const outputs: Message[] = [];
  const runOne = async (call: NamedCall, index: number) => {
    const onProgress = (progress: Progress) => context.onProgress?.(progress, { id: call.id, name: call.name, index });
    const outcome = await runCall(call, { ...context, tools, onProgress, onStop });
    const message = outputMessage(call, outcome, { start, end: context.now().toISOString() });
    outputs[index] = message;
    emitter.emit(message, index);
  };
  let next = 0;
  const work = async () => {
    for (let index = next++; index < named.length; index = next++) await runOne(named[index]!, index);
  };
  const width = Math.max(
    1,
    Math.min(named.length, Math.floor(context.concurrency ?? defaultConcurrency) || defaultConcurrency),
  );
  try {
    await Promise.all(Array.from({ length: width }, work));
    await emitter.done();
  } finally {
    close();
  }
  return { calls: named.map(callMessage), outputs };
};
