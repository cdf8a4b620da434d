import type { Answer, AskEvent } from './answer.js';
import type { AskInput, AskOptions } from './ask-options.js';
import { abortReason } from './budget.js';
import { checkFormat } from './check-format.js';
import type { AskContext } from './context.js';
import { loop, loopSteps, type Outcome } from './loop.js';
import { openInput } from './open-input.js';

/** The context of a call that has none: no environment, no roots, absolute paths only. */
export const contextOf = async ({ context }: AskOptions): Promise<AskContext> =>
  context ?? (await import('./node/node-context.js')).nodeContext({});

const formatted = async ({ run, text, stopReason }: Outcome): Promise<Pick<Answer, 'object' | 'formatError'>> => {
  const { format, formatInput } = run.options;
  if (!format || formatInput === undefined || (stopReason !== 'stop' && text === '')) return {};
  const checked = await checkFormat(text, format, formatInput);
  return 'object' in checked ? { object: checked.object } : { formatError: checked.problem };
};

const toAnswer = async (outcome: Outcome): Promise<Answer> => {
  const { run, stopReason, reason, text } = outcome;
  return {
    text,
    messages: run.fresh,
    stopReason,
    ...(reason === undefined ? {} : { reason }),
    tokens: run.tokens,
    ...(run.cost === undefined ? {} : { cost: run.cost }),
    ...(await formatted(outcome)),
    warnings: [...run.warnings, ...run.input.recorder.warnings],
  };
};

const abortedBefore = (reason: string): Answer => ({
  text: '',
  messages: [],
  stopReason: 'aborted',
  reason,
  tokens: {},
  cost: 0,
  warnings: [],
});

// A listener that throws must not cost an answer that is paid for.
const emitter =
  ({ onDelta, onEvent }: AskOptions, context: AskContext) =>
  (event: AskEvent): void => {
    try {
      onEvent?.(event);
      if (event.kind === 'text-delta') onDelta?.({ kind: 'text', text: event.text });
      if (event.kind === 'reasoning-delta') onDelta?.({ kind: 'reasoning', text: event.text });
    } catch (error) {
      context.log?.(`A listener failed at ${event.kind}: ${error instanceof Error ? error.message : error}`);
    }
  };

/**
 * One answer from a chat: compiles it, weighs the options, prepares the prompt, sends, runs tools, and goes on until the model asks
 * for none. With a file, the question and all that is new is appended to it as it comes: a reply before its tools run, an output as
 * its call ends. A file that a killed run left is finished from where it stands; one that is answered is returned as it is.
 *
 * An abort, a budget or a limit is no error: `stopReason` and `reason` say so. Throws for a person's bad input (nothing is sent
 * then) and `request_failed` for a request that failed; its facts hold the `chat`, `status`, `providerCode`, `retryable`.
 */
export const ask = async (input: AskInput, options: AskOptions = {}): Promise<Answer> => {
  const context = await contextOf(options);
  // Of its own: many runs may share the caller's signal, and Node warns where it has many listeners.
  const signal = AbortSignal.any(options.signal ? [options.signal] : []);
  const emit = emitter(options, context);
  const streams = options.onDelta !== undefined || options.onEvent !== undefined;
  const opened = await openInput(input, options, context);
  let answer: Answer;
  try {
    const steps = { ...loopSteps, ...options.steps };
    answer = await toAnswer(await loop({ input: opened, options, context, signal, streams, emit }, steps));
  } catch (error) {
    const reason = abortReason(error, signal);
    if (reason === undefined) throw error;
    answer = abortedBefore(reason);
  } finally {
    await opened.close();
  }
  for (const { message } of answer.warnings) context.log?.(message);
  emit({ kind: 'end', answer });
  return answer;
};
