import { ColophonError } from '@colophon/chat-format';
import { abortable } from './abortable.js';
import type { Delta, Reply, RequestOptions } from './backend.js';
import { type CachedInference, pruneCache, readCached, writeCached } from './cache.js';
import { cacheKey } from './cache-key.js';
import { checkReply } from './check-reply.js';
import { type Prompt, prepare } from './prepare.js';
import { providerError } from './provider-error.js';
import { redact, redactCause, secretsOf } from './redact.js';
import { requestOptions } from './request-options.js';
import type { Run } from './run.js';
import { isThreading, thread } from './thread.js';

/** A reply and its identity. `cached`: it was paid for before, under the same `inferenceId`. */
export type Received = Reply & { inferenceId: string; timestamp: string; cached?: boolean; notes?: string[] };

const streamTo =
  ({ emit }: Run, seen: { text: boolean }) =>
  (delta: Delta) => {
    seen.text ||= delta.kind === 'text';
    emit(
      delta.kind === 'text' ? { kind: 'text-delta', text: delta.text } : { kind: 'reasoning-delta', text: delta.text },
    );
  };

// What was not streamed is told in one piece, so that who listens gets every text.
const tellWhole = ({ emit }: Run, { messages, reasoning }: Reply, seen: { text: boolean }): void => {
  if (seen.text) return;
  if (reasoning) emit({ kind: 'reasoning-delta', text: reasoning });
  for (const { content } of messages) if (content !== '') emit({ kind: 'text-delta', text: content });
};

const isListened = ({ streams, options }: Run): boolean =>
  streams && options.own.stream !== false && options.backend.capabilities?.streaming !== false;

const send = async (run: Run, prompt: Prompt, options: RequestOptions): Promise<Reply> => {
  const { options: resolved, tools } = run;
  const { backend, credentials } = resolved;
  const seen = { text: false };
  const listening = isListened(run) ? { onDelta: streamTo(run, seen) } : {};
  const raw = await abortable(run.signal, async (signal) => {
    if ('reply' in backend) return backend.reply(prompt.chat, { tools, options, signal, ...listening });
    const request = await backend.toRequest(prompt.chat, tools, options);
    run.client ??= await backend.client?.(credentials);
    return backend.fromReply(await backend.send(request, run.client, { signal, ...listening }), { tools, chat: run.chat });
  });
  const reply = checkReply(raw, backend.name);
  tellWhole(run, reply, seen);
  return reply;
};

/**
 * Any failure as an error of the project: with the chat so far, what the provider said, and whether asking again may help; without
 * any secret.
 */
export const failureOf = (error: unknown, { options, input, fresh, signal }: Run): ColophonError => {
  const secrets = secretsOf(options.credentials);
  const known = providerError(error, { backend: options.backend.name, secrets, signal });
  const facts = {
    ...known.facts,
    at: undefined,
    chat: [...input.stored, ...input.question, ...fresh],
    model: options.model,
  };
  const cause = redactCause(known.cause, secrets);
  return new ColophonError(known.code, redact(known.message, secrets), {
    ...facts,
    ...(cause === undefined ? {} : { cause }),
  });
};

// 404, or a 400 that speaks of the id: the provider forgot the reply, or it was another account's.
const isForgotten = (error: unknown): boolean => {
  const { facts = error } = error as { facts?: unknown };
  const { status, code, providerCode } = facts as { status?: number; code?: unknown; providerCode?: unknown };
  const message = `${code} ${providerCode} ${(error as { message?: unknown }).message}`;
  return status === 404 || (status === 400 && /previous.?response/i.test(message));
};

const sendWhole = async (run: Run, prompt: Prompt): Promise<Reply> => {
  run.warnings.push({
    code: 'thread_forgotten',
    message: `The provider does not know the reply ${prompt.view.previousResponseId} (any more): the whole conversation was sent.`,
  });
  delete run.thread;
  const whole = await prepare(run, thread(run), { quiet: true });
  const notes = prompt.chat.filter((message) => message['inbox'] !== undefined);
  const chat = [...whole.chat, ...notes];
  return send(run, { ...whole, chat }, requestOptions(run, { ...whole, chat }));
};

const receive = async (run: Run, prompt: Prompt): Promise<Reply> => {
  try {
    return await send(run, prompt, requestOptions(run, prompt));
  } catch (error) {
    if (prompt.view.previousResponseId === undefined || run.signal.aborted || !isForgotten(error)) throw error;
    return sendWhole(run, prompt);
  }
};

const cacheOf = ({ options, context }: Run) => (options.persist ? context.cache : undefined);

/**
 * A finished inference of the same request, where answers are kept. It takes no note from the inbox. The key of the request is
 * kept for `request`.
 */
export const recall = async (run: Run): Promise<Received | undefined> => {
  const place = cacheOf(run);
  if (!place) return undefined;
  const prompt = await prepare(run, { chat: run.chat, known: 0 }, { quiet: true });
  run.cacheKey = await cacheKey(run, prompt);
  const found = await readCached(place, run.cacheKey, run.context.now());
  if (!found) return undefined;
  tellWhole(run, found.reply, { text: false });
  return { ...found.reply, inferenceId: found.inferenceId, timestamp: run.context.now().toISOString(), cached: true };
};

const isWhole = ({ stopReason }: Reply): boolean =>
  stopReason === undefined || stopReason === 'stop' || stopReason === 'tool_calls';

const withoutCarry = <T extends object>(part: T): T => {
  const { carry: _, ...rest } = part as T & { carry?: unknown };
  return rest as T;
};

const keep = async (run: Run, received: Received): Promise<void> => {
  const place = cacheOf(run);
  const { inferenceId, timestamp, notes = [], cached: _, ...reply } = received;
  if (!place || run.cacheKey === undefined || notes.length > 0 || !isWhole(reply)) return;
  const { backend, model } = run.options;
  const plain = { ...reply, messages: reply.messages.map(withoutCarry), calls: reply.calls.map(withoutCarry) };
  const inference: CachedInference = {
    version: 1,
    backend: backend.name,
    model,
    inferenceId,
    timestamp,
    reply: plain,
  };
  try {
    await writeCached(place, run.cacheKey, inference, run.context.randomId());
    if (run.rounds === 1) await pruneCache(place, run.context.now());
  } catch (error) {
    run.warnings.push({
      code: 'cache_failed',
      message: `The answer was not kept in ${place.folder}: ${error instanceof Error ? error.message : error}`,
    });
  }
};

/** Step 5: the request. Throws `request_failed` (or `aborted`) with the chat so far; nothing of a failed request is recorded. */
export const request = async (run: Run, prompt: Prompt): Promise<Received> => {
  let reply: Reply;
  try {
    reply = await receive(run, prompt);
  } catch (error) {
    throw failureOf(error, run);
  }
  const identity = { inferenceId: run.context.randomId(), timestamp: run.context.now().toISOString() };
  const received: Received = { ...reply, ...identity, ...(prompt.notes.length > 0 ? { notes: prompt.notes } : {}) };
  await keep(run, received);
  if (isThreading(run) && reply.id === undefined) delete run.thread;
  return received;
};
