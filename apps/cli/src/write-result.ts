import { resolve } from 'node:path';
import type { OptionSpec } from './command.js';
import type { MachineContext } from './context.js';

/** The option of every command whose result may go to a file. */
export const outputOption = {
  name: 'output',
  short: 'o',
  value: 'FILE',
  description: 'write to this file, not to standard output',
  complete: 'file',
} as const satisfies OptionSpec;

/** The option of every command that can report to a program. */
export const jsonOption = { name: 'json', description: 'print JSON, for programs' } as const satisfies OptionSpec;

/** Puts a result where the person wants it: into a file, whole or not at all, or on standard output. It ends with a line end. */
export const writeResult = async (
  text: string,
  output: string | undefined,
  { stdout, workingDirectory }: MachineContext,
): Promise<void> => {
  const whole = text.endsWith('\n') ? text : `${text}\n`;
  if (output === undefined) return stdout.write(whole);
  const { writeAtomically } = await import('./write-file.js');
  await writeAtomically(resolve(workingDirectory, output), whole);
};
