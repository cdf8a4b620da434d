import { ColophonError } from './errors.js';

/** `command_definition`: a command task can't be run as it is defined. */
export const commandDefinitionError = (problem: string): ColophonError =>
  new ColophonError('command_definition', `${problem}.`);

/** `command_input`: an input's value can't be handed to a program. */
export const commandInputError = (name: string, problem: string): ColophonError =>
  new ColophonError('command_input', `The input ${JSON.stringify(name)} ${problem}.`, { input: name });

/** `command_missing`: a program, or the folder that it was to run in, is not there or can't be run. */
export const commandMissingError = (program: string, problem: string, cause: unknown): ColophonError =>
  new ColophonError('command_missing', `Can't run ${JSON.stringify(program)}: ${problem}.`, { program, cause });

/** `command_failed`: a program ended with another exit code than 0, or by a signal. `stderr`: its last lines. */
export const commandFailedError = (
  program: string,
  { exitCode, signal, stderr }: { exitCode: number | null; signal: NodeJS.Signals | null; stderr: string },
): ColophonError =>
  new ColophonError(
    'command_failed',
    `${JSON.stringify(program)} ended ${signal ? `by the signal ${signal}` : `with exit code ${exitCode}`}` +
      `${stderr === '' ? ' and said nothing on standard error.' : `; the last that it said:\n${stderr}`}`,
    { program, exitCode, signal, stderr },
  );

/** `command_output`: what a program writes can't be kept. */
export const commandOutputError = (program: string, problem: string, cause?: unknown): ColophonError =>
  new ColophonError('command_output', `Can't keep what ${JSON.stringify(program)} writes: ${problem}.`, {
    program,
    cause,
  });

/** `aborted`: a program was ended from outside; `reason` says why. */
export const commandAbortedError = (program: string, reason: unknown): ColophonError => {
  const said = reason instanceof Error ? reason.message : String(reason ?? 'no reason given');
  return new ColophonError('aborted', `${JSON.stringify(program)} was ended: ${said}`, {
    program,
    reason: said,
    cause: reason instanceof Error ? reason : undefined,
  });
};
