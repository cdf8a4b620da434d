import { spawn } from 'node:child_process';

/** Runs a program to its end and returns what it printed; throws with all of that when it fails. */
export const run = async (
  program: string,
  words: readonly string[],
  options: { cwd: string; env?: NodeJS.ProcessEnv },
): Promise<string> => {
  const child = spawn(program, words, {
    ...options,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors += text;
  });
  const status = await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
  if (status !== 0)
    throw new Error(`${program} ${words.join(' ')} (in ${options.cwd}) ended with ${status}\n${output}${errors}`);
  return output;
};
