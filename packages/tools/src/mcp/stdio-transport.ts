import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { jsonLines, lineReader, readingTime } from './json-lines.js';
import { endGroup, watchGroup } from './process-group.js';

/** A command as it is started: its whole environment, and where it runs. */
export type StdioCommand = {
  command: string;
  args: readonly string[];
  env: Record<string, string>;
  workingDirectory?: string;
  grace: number;
  onStderr: (line: string) => void;
};

/** A transport with a process behind it. `describeEnd` says how that ended, where it has. */
export type StdioTransport = Transport & { describeEnd: () => Promise<string | undefined> };

const longestErrorLine = 64 * 1024;
const toldErrorText = 500;

const startProblem = (error: NodeJS.ErrnoException, { command, workingDirectory }: StdioCommand): Error => {
  if (error.code === 'ENOENT')
    return new Error(
      `the command \`${command}\` was not found${workingDirectory ? `, or the folder ${workingDirectory} it is to run in` : ''}.`,
    );
  if (error.code === 'EACCES') return new Error(`the command \`${command}\` is no program that may be run.`);
  return new Error(`the command \`${command}\` can't be started: ${error.message}`);
};

const start = (command: StdioCommand): Promise<ChildProcess & { pid: number; stdin: Writable; stdout: Readable }> =>
  new Promise((resolve, reject) => {
    const child = spawn(command.command, command.args, {
      cwd: command.workingDirectory,
      env: command.env,
      stdio: ['pipe', 'pipe', 'pipe'],
      // A process group of its own, so that what the server starts can be ended with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    child.once('error', (error) => reject(startProblem(error, command)));
    child.once('spawn', () => resolve(child as ChildProcess & { pid: number; stdin: Writable; stdout: Readable }));
  });

/** Starts a server as a child process and speaks with it over its input and output. Its standard error is always read. */
export const stdioTransport = (command: StdioCommand, parse: (value: unknown) => JSONRPCMessage): StdioTransport => {
  let lines: Transport | undefined;
  let child: Awaited<ReturnType<typeof start>> | undefined;
  let ending: Promise<void> | undefined;
  let ended: string | undefined;
  let errorText = '';

  // Closes once: the connection at once, the process and its group with patience.
  const end = (patience: number): Promise<void> => {
    ending ??= Promise.resolve().then(async () => {
      const { pid } = child ?? {};
      child?.stdin.end();
      await lines?.close();
      if (pid !== undefined) await endGroup(pid, patience, command.grace);
      for (const stream of [child?.stdin, child?.stdout, child?.stderr]) stream?.destroy();
    });
    return ending;
  };

  const transport: StdioTransport = {
    start: async () => {
      child = await start(command);
      const { pid, stdin, stdout, stderr } = child;
      watchGroup(pid);
      const told = lineReader(longestErrorLine, command.onStderr, () => {});
      stderr?.on('data', (chunk: Buffer) => {
        errorText = (errorText + chunk.toString('utf8')).slice(-2 * toldErrorText);
        told.push(chunk);
      });
      stderr?.once('end', told.end);
      stderr?.on('error', () => {});
      child.on('error', () => {});
      child.once('exit', (code, signal) => {
        ended = signal ? `signal ${signal}` : `exit code ${code}`;
      });
      lines = jsonLines(stdout, stdin, parse);
      lines.onmessage = (message, extra) => transport.onmessage?.(message, extra);
      lines.onerror = (error) => transport.onerror?.(error);
      lines.onclose = () => {
        transport.onclose?.();
        // A server that is gone, or that closed its output, can answer nothing more.
        end(ended === undefined ? command.grace : 0);
      };
      await lines.start();
    },
    send: async (message) => {
      if (!lines) throw new Error('the connection is not open');
      await lines.send(message);
    },
    close: () => end(command.grace),
    describeEnd: async () => {
      // The end of the output may be seen before that of the process.
      for (let waited = 0; child && ended === undefined && waited < readingTime; waited += 10) await wait(10);
      if (ended === undefined) return undefined;
      const wrote = errorText.trim().slice(-toldErrorText);
      return wrote === '' ? ended : `${ended}; it wrote: ${wrote}`;
    },
  };
  return transport;
};
