import type { Message } from '@colophon/chat-format';
import { type Call, pendingCalls, resumeCalls, runCalls } from '@colophon/tools';
import type { Stop } from './budget.js';
import { keepRecord } from './keep-record.js';
import type { Run } from './run.js';
import { toolContext } from './tool-context.js';

/** Records an output as it ends, and adds it to the conversation. */
const addOutput = async (run: Run, message: Message, index: number): Promise<void> => {
  await keepRecord(run, [message]);
  run.chat.push(message);
  run.emit({ kind: 'tool-result', message, index });
};

const stopped = ({ reason }: Stop): AbortSignal => AbortSignal.abort(new Error(`it never began, since ${reason}`));

/**
 * Step 7: runs the calls of a reply in parallel; each output is recorded as it ends. With `stop` none is run: each gets an output
 * with the error `aborted` that says why, so that the chat stays valid.
 */
export const callTools = async (run: Run, calls: readonly Call[], stop?: Stop): Promise<void> => {
  const { options, context } = run;
  const { concurrency, toolTimeout, maxContentLength, onProgress } = options.own as Record<string, never>;
  const added: Message[] = [];
  await runCalls(calls, run.tools, {
    now: context.now,
    concurrency,
    timeLimit: toolTimeout,
    maxContentLength,
    onProgress,
    signal: stop && stop.stopReason !== 'aborted' ? stopped(stop) : run.signal,
    onOutput: (message, index) => addOutput(run, message, index),
    toolContext: toolContext(run, (message) => added.push(message)),
  });
  if (added.length > 0) {
    await keepRecord(run, added);
    run.chat.push(...added);
  }
};

const isToolMessage = ({ role }: Message): boolean =>
  role === 'function_call' || role === 'mcp_call' || role === 'function_call_output';

/**
 * What a killed run left: calls without outputs. Those whose tool says that it is idempotent are run again, for the others an
 * output tells the model that they were interrupted. `beforeQuestion`: they stand in front of a question that is new.
 */
export const settleCalls = async (run: Run, { beforeQuestion = false } = {}): Promise<void> => {
  const end = beforeQuestion ? run.chat.findLastIndex(isToolMessage) + 1 : run.chat.length;
  const pending = pendingCalls(run.chat.slice(0, end));
  if (pending.length === 0) return;
  const after = run.chat.splice(end);
  const { run: again, interrupted } = resumeCalls(pending, run.tools, run.context);
  for (const [index, message] of interrupted.entries()) await addOutput(run, message, index);
  if (again.length > 0) await callTools(run, again);
  run.chat.push(...after);
};
