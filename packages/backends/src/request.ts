import { abortable } from './abortable.js';
import type { Reply, RequestOptions } from './backend.js';
import { checkReply } from './check-reply.js';
import { nothingToAsk } from './errors.js';
import { failureOf } from './failure-of.js';
import { type Prompt, prepare } from './prepare.js';
import { keep } from './recall.js';
import { requestOptions } from './request-options.js';
import type { Run } from './run.js';
import { streamTo, type Told, tellWhole } from './tell.js';
import { isThreading, thread } from './thread.js';

/** A reply and its identity. `cached`: it was paid for before, under the same `inferenceId`. */
export type Received = Reply & { inferenceId: string; timestamp: string; cached?: boolean; notes?: string[] };

const isListened = ({ streams, options }: Run): boolean =>
  streams && options.own.stream !== false && options.backend.capabilities?.streaming !== false;

const send = async (run: Run, prompt: Prompt, options: RequestOptions): Promise<Reply> => {
  const { options: resolved } = run;
  const tools = [...run.tools];
  const { backend, credentials } = resolved;
  const seen: Told = { text: false };
  const listening = isListened(run) ? { onDelta: streamTo(run, seen) } : {};
  const raw = await abortable(run.signal, async (signal) => {
    if ('reply' in backend) return backend.reply(prompt.chat, { tools, options, signal, ...listening });
    const request = await backend.toRequest(prompt.chat, tools, options);
    run.client ??= await backend.client?.(credentials);
    return backend.fromReply(await backend.send(request, run.client, { signal, ...listening }), {
      tools,
      chat: run.chat,
    });
  }).finally(() => {
    seen.over = true;
  });
  const reply = checkReply(raw, backend.name);
  tellWhole(run, reply, seen);
  return reply;
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

/** Step 5: the request. Throws `request_failed` (or `aborted`) with the chat so far; nothing of a failed request is recorded. */
export const request = async (run: Run, prompt: Prompt): Promise<Received> => {
  let reply: Reply;
  try {
    // Outputs without their calls, and calls that can't be read, are left out of a prompt.
    if (prompt.chat.length === 0) throw nothingToAsk(run.input.file ?? 'The chat');
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
