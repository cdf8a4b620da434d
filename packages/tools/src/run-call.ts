import type { NamedCall } from './envelope.js';
import { messageOf } from './message-of.js';
import { failure, type Outcome } from './outcome.js';
import { fixedArguments } from './parameters.js';
import { parseArguments } from './parse-arguments.js';
import { similarNames } from './registry.js';
import { type Ending, type Limits, settle } from './settle.js';
import { toOutcome } from './to-outcome.js';
import type { Tool } from './tool.js';
import { truncate } from './truncate.js';
import { validate } from './validate.js';
import { headOf } from './well-formed.js';

/** What a round gives each of its calls. */
export type Round = Limits & { tools: Map<string, Tool>; maxContentLength?: number | undefined };

// What a stopped call returned too late is no result any more; its receipts, and the job that holds it, are evidence.
const evidenceOf = (ending: { late?: unknown }): Pick<Outcome, 'step' | 'meta'> => {
  if (!('late' in ending)) return {};
  const { step, meta } = toOutcome(ending.late);
  return { ...(step === undefined ? {} : { step }), ...(meta === undefined ? {} : { meta }) };
};

const toOutcomeOf = (ending: Ending): Outcome => {
  if (ending.kind === 'returned') return toOutcome(ending.value);
  if (ending.kind === 'threw') return failure('error', messageOf(ending.error));
  const evidence = evidenceOf(ending);
  if (ending.kind === 'timeout')
    return failure(
      'timeout',
      `The call was stopped: it took longer than its limit of ${ending.limit / 1000} s.`,
      evidence,
    );
  return failure('aborted', `The call was stopped before it ended: ${messageOf(ending.reason)}`, evidence);
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
  // A copy: what a tool does to its arguments changes neither the recorded call nor the values that its schema fixes.
  const sent = structuredClone(parsed.arguments);
  const values = { ...(tool.prepare?.(sent) ?? sent), ...structuredClone(fixedArguments(parameters)) };
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
