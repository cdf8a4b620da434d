import { hint } from './definition-errors.js';
import { ColophonError } from './errors.js';

const isSecret = (name: string): boolean => /(?:password|secret|api_?key|token|credential)s?$/i.test(name);

const show = (name: string, value: unknown): string => {
  if (value === undefined) return 'nothing';
  if (isSecret(name)) return 'a value that is not shown';
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    // What JSON can't hold is told by its kind.
  }
  text ??= typeof value === 'object' ? 'an object' : String(value);
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
};

/** What is wrong with one input. `name`: with the path below it; `expected`: in words. */
export type InputProblem = { name: string; received: unknown; expected: string };

/** `bad_input`: values that a task's inputs don't take. */
export const badInputError = (
  { workflow, task }: { workflow: string; task: string },
  problems: readonly InputProblem[],
): ColophonError => {
  const lines = problems.map(({ name, received, expected }) => `  ${name}: got ${show(name, received)}; ${expected}`);
  return new ColophonError(
    'bad_input',
    `${workflow} ${task} can't take what it was given:\n${lines.join('\n')}\nCorrect that; nothing was run.`,
    { workflow, task, inputs: problems.map(({ name, expected }) => ({ name, expected })) },
  );
};

/** `unknown_input`: names that are no inputs of a task. */
export const unknownInputError = (
  { workflow, task }: { workflow: string; task: string },
  unknown: readonly string[],
  names: readonly string[],
): ColophonError =>
  new ColophonError(
    'unknown_input',
    `${workflow} ${task} has no input ${unknown.map((name) => JSON.stringify(name)).join(', ')}.${hint(unknown[0]!, names)} ` +
      `It has ${names.join(', ') || 'none'}.`,
    { workflow, task, inputs: unknown },
  );
