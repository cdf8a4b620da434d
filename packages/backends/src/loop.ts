import { type Chat, ColophonError } from '@colophon/chat-format';
import type { StopReason } from './backend.js';
import { abortReason, checkBudget, limitOf, type Stop } from './budget.js';
import { callTools, settleCalls } from './call-tools.js';
import { nothingToAsk } from './errors.js';
import { prepare } from './prepare.js';
import { recall } from './recall.js';
import { record, stopReasonOf } from './record.js';
import { request } from './request.js';
import { type RunRequest, resolve } from './resolve.js';
import type { Run } from './run.js';
import { takeEvidence } from './take-evidence.js';
import { thread } from './thread.js';
import type { Ending } from './unfinished.js';

/**
 * The steps of the loop, in order. Each may be replaced: `ask(input, {steps: {request: mine}})`, where `mine` may call the
 * built-in one. `resolve` and `takeEvidence` are done once, the others for every round.
 */
export const loopSteps = {
  resolve,
  takeEvidence,
  settleCalls,
  thread,
  recall,
  prepare,
  request,
  record,
  callTools,
};

/** The steps by name. */
export type LoopSteps = typeof loopSteps;

/** How a run ended. */
export type Outcome = { run: Run; stopReason: StopReason; reason?: string; text: string };

// A reply that was refused or filtered may hold the beginning of a call.
const isVoid = (stopReason: StopReason): boolean => stopReason === 'refusal' || stopReason === 'content_filter';

const textOf = (chat: Chat): string =>
  chat.flatMap(({ role, content }) => (role === 'assistant' ? [content] : [])).join('\n\n');

const lastText = ({ chat }: Run): string =>
  textOf(chat.slice(chat.findLastIndex(({ role }) => role !== 'assistant') + 1));

const recordQuestion = async ({ input }: Run): Promise<void> => {
  if (input.question.length > 0) await input.recorder.record(input.question);
};

const finished = (run: Run, { meta }: Ending): Outcome => ({
  run,
  stopReason: (meta?.['stop_reason'] as StopReason | undefined) ?? 'stop',
  text: lastText(run),
});

const stoppedBy = (run: Run, { stopReason, reason }: Stop): Outcome => ({ run, stopReason, reason, text: '' });

// A question that is asked of a chat with open calls stands behind their outputs.
const begin = async (run: Run, steps: LoopSteps): Promise<void> => {
  const { settlesFirst } = run.input;
  if (settlesFirst) await steps.settleCalls(run, { beforeQuestion: true });
  await recordQuestion(run);
  if (!settlesFirst) await steps.settleCalls(run);
};

const rounds = async (run: Run, steps: LoopSteps): Promise<Outcome> => {
  for (let stop = limitOf(run); ; stop = limitOf(run)) {
    if (stop) return stoppedBy(run, stop);
    run.rounds++;
    run.emit({ kind: 'round-start', round: run.rounds, backend: run.options.backend.name, model: run.options.model });
    const view = steps.thread(run);
    const reply = (await steps.recall(run)) ?? (await steps.request(run, await steps.prepare(run, view)));
    await steps.record(run, reply);
    const stopReason = stopReasonOf(reply);
    if (reply.calls.length === 0) return { run, stopReason, text: textOf(reply.messages) };
    const spent = isVoid(stopReason) ? { stopReason, reason: `the reply ended by ${stopReason}` } : limitOf(run);
    await steps.callTools(run, reply.calls, spent);
    if (spent) return stoppedBy(run, spent);
  }
};

/**
 * Asks, records, runs tools, until no call is left or something ends it: an abort (the signal, or a note in the inbox), the limit of
 * rounds, a budget. Errors carry the `chat` so far in their facts.
 */
export const loop = async (request: RunRequest, given: LoopSteps = loopSteps): Promise<Outcome> => {
  const run = await given.resolve(request);
  const steps = { ...given, ...run.steps };
  const ending = await steps.takeEvidence(run);
  if (run.chat.length === 0) throw nothingToAsk(run.input.file ?? 'The chat');
  if (ending.finished) return finished(run, ending);
  await checkBudget(run);
  try {
    await begin(run, steps);
    return await rounds(run, steps);
  } catch (error) {
    const reason = abortReason(error, request.signal);
    if (reason !== undefined) return stoppedBy(run, { stopReason: 'aborted', reason });
    const { stored, question } = run.input;
    if (error instanceof ColophonError) error.facts['chat'] ??= [...stored, ...question, ...run.fresh];
    throw error;
  }
};
