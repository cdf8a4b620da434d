import type { Command } from './command.js';
import { createContext, type MachineContext } from './context.js';
import { openOutputs } from './output.js';
import { parseGiven } from './parse-given.js';
import { isUsageError, renderError } from './show-error.js';

/** Runs a command on its words and returns the exit code. Results went to standard output; an error is told on standard error. */
export const runCommand = async (command: Command, words: readonly string[]): Promise<number> => {
  const outputs = openOutputs();
  let verbose = words.includes('--verbose');
  let context: MachineContext | undefined;
  let code: number;
  try {
    const given = parseGiven(command, words);
    verbose = given.options['verbose'] === true;
    context = createContext(given.options, outputs);
    code = (await command.run(given, context)) ?? 0;
  } catch (error) {
    const text = context?.signal.aborted
      ? 'colophon: interrupted'
      : renderError(error, { color: outputs.stderr.color, verbose });
    outputs.stderr.line(text);
    code = isUsageError(error) ? 2 : 1;
  }
  await Promise.all([outputs.stdout.flush(), outputs.stderr.flush()]);
  if (context?.signal.aborted) return (context.signal.reason as { exitCode: number }).exitCode;
  return code || Number(process.exitCode ?? 0);
};
