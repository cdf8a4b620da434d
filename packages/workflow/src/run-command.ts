import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { commandAbortedError, commandFailedError, commandMissingError, commandOutputError } from './command-errors.js';
import { collectOutput, followLines, type KeptOutput, writeOutput } from './keep-output.js';
import { onAbort } from './on-abort.js';
import { type PassedInputs, passInputs } from './pass-inputs.js';
import { endGroup, holdGroup } from './process-group.js';
import type { CommandLine, Inputs } from './workflow.js';

/**
 * How a program runs. `workingDirectory`: where; `environment`: all variables that it gets beside its inputs, nothing of this process's
 * own; `output`: file that its standard output goes to as it comes; `maxOutput`: bytes that are kept in memory where it goes to none
 * (64 MiB); `stdin`: what it reads where no input is passed that way; `onStderr`: called with what it says, as it comes; `grace`:
 * milliseconds between asking it to end and killing it (2000).
 */
export type CommandOptions = {
  workingDirectory: string;
  signal?: AbortSignal;
  environment?: Readonly<Record<string, string | undefined>>;
  stdin?: string | Uint8Array;
  output?: string;
  maxOutput?: number;
  onStderr?: (text: string) => void;
  grace?: number;
};

/** What a program that ended well leaves: its standard output (`output` where it went to no file) and the last lines of the other. */
export type CommandResult = KeptOutput & { stderr: string };

const barePath = '/usr/local/bin:/usr/bin:/bin';

const problems: Record<string, string> = {
  ENOENT: 'there is no such program on the PATH. Install it, or give its path',
  EACCES: 'it is not executable',
  E2BIG: 'its inputs are longer than a program can be called with. Pass the long one on standard input',
};

const missingFile = 'there is no such file, or not the interpreter that its first line names';

const start = async (
  { program, words, variables }: PassedInputs,
  folder: string,
  environment: CommandOptions['environment'],
): Promise<ChildProcessWithoutNullStreams> => {
  try {
    const child = spawn(program, words, {
      cwd: folder,
      env: { PATH: barePath, ...environment, ...variables },
      stdio: 'pipe',
      detached: true,
    });
    await once(child, 'spawn');
    return child;
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    const there = (await stat(folder).catch(() => undefined))?.isDirectory();
    const known = code === 'ENOENT' && program.includes('/') ? missingFile : problems[code];
    const problem = there ? (known ?? message) : `there is no folder ${folder} to run in`;
    throw commandMissingError(program, problem, error);
  }
};

/**
 * Runs a program with inputs, and settles when it has ended with all that it started. Words never go through a shell; a script is run by
 * `sh -c`, its text fixed, inputs only beside it. How inputs are passed: see `passInputs`. Throws `command_missing`, `command_input`,
 * `command_failed` (exit code, signal, last lines), `command_output`, and `aborted` when the signal ends it. Processes that a program
 * puts into a session of their own are out of reach.
 */
export const runCommand = async (
  command: CommandLine,
  inputs: Inputs,
  { workingDirectory, signal, environment, grace = 2000, ...options }: CommandOptions,
): Promise<CommandResult> => {
  const passed = passInputs(command, inputs);
  const program = command.script === undefined ? passed.program : 'script';
  if (signal?.aborted) throw commandAbortedError(program, signal.reason);
  const child = await start(passed, workingDirectory, environment);
  const { stdin, stdout, stderr, pid: group } = child as typeof child & { pid: number };
  holdGroup(group);
  let ending: Promise<void> | undefined;
  const end = (): Promise<void> => {
    ending ??= endGroup(group, grace);
    return ending;
  };
  const stopListening = signal && onAbort(signal, end);
  const exited = new Promise<[number | null, NodeJS.Signals | null]>((resolve) =>
    child.on('exit', (code, name) => resolve([code, name])),
  );
  // A program need not read all of its input.
  stdin.on('error', () => undefined).end(passed.stdin ?? options.stdin ?? '');
  const said = followLines(stderr, options.onStderr);
  const output =
    options.output === undefined
      ? collectOutput(stdout, options.maxOutput ?? 2 ** 26)
      : writeOutput(stdout, options.output);
  const kept = output.catch((error: Error) => {
    end();
    return { error };
  });
  const [exitCode, died] = await exited;
  // What it left running may still write; after a while it is ended, too.
  const patience = setTimeout(end, grace);
  const unreachable = setTimeout(() => {
    for (const stream of [stdout, stderr]) stream.destroy(new Error('a process that it left behind holds it open'));
  }, 5 * grace);
  const [result, lines] = await Promise.all([kept, said]);
  clearTimeout(patience);
  clearTimeout(unreachable);
  stopListening?.();
  await end();
  if (signal?.aborted) throw commandAbortedError(program, signal.reason);
  if ('error' in result) throw commandOutputError(program, result.error.message, result.error);
  if (exitCode !== 0) throw commandFailedError(program, { exitCode, signal: died, stderr: lines });
  return { ...result, stderr: lines };
};
