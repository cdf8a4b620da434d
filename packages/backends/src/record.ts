import { type Chat, type Message, type Meta, nextMeta, printMeta } from '@colophon/chat-format';
import { callMessages } from '@colophon/tools';
import { addUsage } from './budget.js';
import { keepRecord } from './keep-record.js';
import type { Received } from './request.js';
import type { Run } from './run.js';
import { isThreading } from './thread.js';

/** Why a reply ended, also where the backend does not say. */
export const stopReasonOf = ({ stopReason, calls }: Received) =>
  stopReason ?? (calls.length > 0 ? 'tool_calls' : 'stop');

const oneLine = (text: string): string => text.replaceAll(/\s*[\r\n]+\s*/g, ' ').trim();

const identityOf = (run: Run, reply: Received): Meta => {
  const { options } = run;
  return {
    inference_id: reply.inferenceId,
    ...(reply.id === undefined ? {} : { provider_response_id: reply.id }),
    model: reply.model ?? options.model,
    backend: options.backend.name,
    timestamp: reply.timestamp,
    stop_reason: stopReasonOf(reply),
    ...(reply.cached ? { cached: 'true' } : {}),
    ...(reply.notes ? { inbox: reply.notes.join(' ') } : {}),
    ...(reply.reasoning ? { reas: oneLine(reply.reasoning) } : {}),
  };
};

/**
 * The record of a reply: its usage, the running totals of this run (`*_s`) and of the chat (`*_c`), and its identity. A cached one
 * shows its usage and adds nothing to the totals.
 */
const metaOf = (run: Run, reply: Received): Meta => {
  const usage = reply.usage ?? {};
  const counted = reply.cached
    ? { ...nextMeta({}, run.meta, run.tokens), ...usage }
    : nextMeta(usage, run.meta, run.tokens);
  const orphan = reply.messages.length === 0 && reply.calls.length === 0;
  return { ...counted, ...identityOf(run, reply), ...(orphan ? { orphan: 'true' } : {}) };
};

const callsOf = (reply: Received): Message[] =>
  callMessages(reply.calls).map((message, index) => {
    const { carry } = reply.calls[index]!;
    return carry === undefined ? message : { ...message, carry };
  });

// A reply that is asked for again, since a killed run lost its calls, may say what is recorded already.
const withoutRecorded = (messages: Chat, torn: Chat): Chat =>
  messages.filter(({ role, content }) => !torn.some((known) => known.role === role && known.content === content));

/** Where the provider goes on from, behind a final answer. */
const continuation = (run: Run, reply: Received): Chat =>
  isThreading(run) && reply.calls.length === 0 && reply.id !== undefined && !reply.cached
    ? [{ role: 'previous_response_id', content: reply.id }]
    : [];

/**
 * Step 6: records the reply, durably, in one piece and before any tool runs: meta, texts, calls. Returns the meta.
 */
export const record = async (run: Run, reply: Received): Promise<Meta> => {
  const meta = metaOf(run, reply);
  const calls = callsOf(reply);
  const messages = [
    { role: 'meta', content: printMeta(meta) },
    ...withoutRecorded(reply.messages, run.torn),
    ...calls,
    ...continuation(run, reply),
  ];
  await keepRecord(run, messages);
  run.chat.push(...reply.messages, ...calls);
  run.torn = [];
  run.meta = { ...run.meta, ...meta };
  await addUsage(run, reply);
  if (isThreading(run) && reply.id !== undefined && !reply.cached) run.thread = { id: reply.id, from: run.chat.length };
  else delete run.thread;
  run.emit({ kind: 'meta', meta });
  for (const call of reply.calls) run.emit({ kind: 'tool-call', call });
  return meta;
};
