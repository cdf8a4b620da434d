import type { NamedCall } from './envelope.js';
import { messageOf } from './message-of.js';
import { failure, type Outcome } from './outcome.js';
import { fixedArguments } from './parameters.js';
import { parseArguments } from './parse-arguments.js';
import { similarNames } from './registry.js';
import { toOutcome } from './to-outcome.js';
import type { Progress, Tool } from './tool.js';
import { truncate } from './truncate.js';
import { validate } from './validate.js';
import { headOf } from './well-formed.js';

/** Milliseconds that a call may take, unless its tool or the context says otherwise: ten minutes. */
export const defaultTimeLimit = 600_000;

// setTimeout fires at once above this.
const longestTimer = 2 ** 31 - 1;

/** What a round gives each of its calls. */
export type Round = {
  tools: Map<string, Tool>;
  timeLimit?: number | undefined;
  maxContentLength?: number | undefined;
  toolContext?: Record<string, unknown> | undefined;
  onProgress?: ((progress: Progress) => void) | undefined;
  /** Calls back when the round is stopped, at once when it is already; returns how to take that off. */
  onStop: (stop: (reason: unknown) => void) => () => void;
};

type Ending =
  | { kind: 'returned'; value: unknown }
  | { kind: 'threw'; error: unknown }
  | { kind: 'timeout'; limit: number }
  | { kind: 'aborted'; reason: unknown };

const limitOf = (tool: Tool, timeLimit: number | undefined): number =>
  [tool.timeout, timeLimit].find((limit) => limit !== undefined && limit > 0) ?? defaultTimeLimit;

// The first ending counts; a tool that goes on after its time or after a stop is not waited for, and its fate is ignored.
const settle = (tool: Tool, values: Record<string, unknown>, callId: string, round: Round): Promise<Ending> =>
  new Promise((resolve) => {
    const controller = new AbortController();
    const limit = limitOf(tool, round.timeLimit);
    let over = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let unsubscribe = () => {};
    const end = (ending: Ending) => {
      over = true;
      clearTimeout(timer);
      unsubscribe();
      resolve(ending);
    };
    unsubscribe = round.onStop((reason) => {
      end({ kind: 'aborted', reason });
      controller.abort(reason);
    });
    if (over) return;
    if (limit <= longestTimer) {
      timer = setTimeout(() => {
        end({ kind: 'timeout', limit });
        controller.abort(new DOMException(`The call took longer than ${limit} ms.`, 'TimeoutError'));
      }, limit);
    }
    const onProgress = (progress: Progress) => {
      if (!over) round.onProgress?.(progress);
    };
    const run = async () => tool.run(values, { ...round.toolContext, signal: controller.signal, callId, onProgress });
    run().then(
      (value) => end({ kind: 'returned', value }),
      (error) => end({ kind: 'threw', error }),
    );
  });

const toOutcomeOf = (ending: Ending): Outcome => {
  if (ending.kind === 'returned') return toOutcome(ending.value);
  if (ending.kind === 'threw') return failure('error', messageOf(ending.error));
  if (ending.kind === 'timeout')
    return failure('timeout', `The call was stopped: it took longer than its limit of ${ending.limit / 1000} s.`);
  return failure('aborted', `The call was stopped before it ended: ${messageOf(ending.reason)}`);
};

const unknownTool = (name: string, tools: Map<string, Tool>): Outcome => {
  const known = similarNames(name, [...tools.keys()]);
  const list =
    known.length === 0
      ? 'No tool is available.'
      : `${known.length < tools.size ? 'Similar ones' : 'Available'}: ${known.join(', ')}.`;
  return failure('not_found', `There is no tool named \`${headOf(name, 128)}\`. ${list}`);
};

const answer = async (call: NamedCall, round: Round): Promise<Outcome> => {
  if (!call.hasId)
    return failure('invalid_arguments', 'The call had no id, so that it was not run. Send it again with an id.');
  const tool = round.tools.get(call.name);
  if (!tool) return unknownTool(call.name, round.tools);
  const parsed = parseArguments(call.arguments);
  if ('problem' in parsed) return failure('invalid_arguments', parsed.problem);
  const parameters = tool.parameters ?? {};
  const values = { ...parsed.arguments, ...fixedArguments(parameters) };
  const validation = await validate(parameters, values);
  if (validation.kind === 'bad_schema') {
    return failure(
      'error',
      `The tool can't be called: its parameters are no valid JSON Schema (${validation.problem}).`,
    );
  }
  if (validation.kind === 'invalid')
    return failure('invalid_arguments', `The arguments do not fit.\n${validation.problems.join('\n')}`);
  return toOutcomeOf(await settle(tool, values, call.id, round));
};

/** Answers one call. Never rejects: whatever goes wrong is an outcome that the model sees. */
export const runCall = async (call: NamedCall, round: Round): Promise<Outcome> => {
  try {
    return truncate(await answer(call, round), round.maxContentLength);
  } catch (error) {
    return failure('error', messageOf(error));
  }
};
