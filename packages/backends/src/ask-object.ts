import type { Answer } from './answer.js';
import { ask } from './ask.js';
import { type AskInput, type AskOptions, toMessages } from './ask-options.js';
import { noObject } from './errors.js';
import { type FormatInput, toJsonSchema, type ZodSchema } from './format.js';
import { type LoopSteps, loopSteps } from './loop.js';
import type { Run } from './run.js';

/** An answer whose value has the asked form. */
export type ObjectAnswer<T> = Answer & { object: T };

type Value<S> = S extends ZodSchema<infer Output> ? Output : unknown;

const mend = (problem: string): string =>
  `Your answer does not have the form that was asked for: ${problem}. Answer again, with the JSON value alone.`;

const again = (input: AskInput, { messages }: Answer, problem: string): AskInput => {
  if (typeof input === 'object' && 'file' in input) return { file: input.file, question: mend(problem) };
  return [...toMessages(input), ...messages, { role: 'user', content: mend(problem) }];
};

const both = (first: Answer, second: Answer): Answer => ({
  ...second,
  messages: [...first.messages, ...second.messages],
  warnings: [...first.warnings, ...second.warnings],
});

/**
 * Steps of two runs, the second of which goes on from the first: with the options that held for the question, and within the same
 * limits, so that what both used is in its answer.
 */
const twoRuns = ({ resolve = loopSteps.resolve, ...steps }: Partial<LoopSteps> = {}) => {
  let before: Run | undefined;
  const first: LoopSteps['resolve'] = async (request) => {
    const run = await resolve(request);
    before = run;
    return run;
  };
  const second: LoopSteps['resolve'] = async (request) => {
    const run = await resolve(request);
    if (!before) return run;
    const { options, tokens, cost, rounds, ledger } = before;
    return { ...run, options, tokens, cost, rounds, ledger };
  };
  return {
    first: { ...steps, resolve: first },
    second: { ...steps, resolve: second },
  };
};

/**
 * Asks for a value: of a zod schema (then the value is its output), a JSON Schema, or the short form. An answer that does not fit
 * goes back to the model once, with what is wrong with it. Throws `bad_format` for a schema that is none, `no_object` where the second
 * answer does not fit either or the run was stopped.
 */
export const askObject = async <S extends FormatInput>(
  input: AskInput,
  { schema, ...options }: AskOptions & { schema: S },
): Promise<ObjectAnswer<Value<S>>> => {
  await toJsonSchema(schema);
  const steps = twoRuns(options.steps);
  const first = await ask(input, { ...options, format: schema, steps: steps.first });
  if ('object' in first) return first as ObjectAnswer<Value<S>>;
  if (first.formatError === undefined || first.stopReason === 'aborted') throw failed(first);
  const repeated = await ask(again(input, first, first.formatError), {
    ...options,
    format: schema,
    steps: steps.second,
  });
  const answer = both(first, repeated);
  if (!('object' in answer)) throw failed(answer);
  return answer as ObjectAnswer<Value<S>>;
};

const failed = (answer: Answer) => {
  const { formatError, reason, stopReason, text, messages } = answer;
  return noObject(formatError ?? reason ?? `the reply ended by ${stopReason}`, { stopReason, text, messages });
};
