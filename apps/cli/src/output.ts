import type { WriteStream } from 'node:tty';

/** Standard output or standard error: what can be known of it, and writing to it. */
export type Output = {
  write: (text: string | Uint8Array) => void;
  line: (text?: string) => void;
  isTerminal: boolean;
  /** A terminal that shows colours, and no `NO_COLOR`. */
  color: boolean;
  /** Columns of the terminal, 80 where there is none. */
  columns: number;
  /** Aborted when the reader went away; what is written afterwards goes nowhere. */
  closed: AbortSignal;
  /** Resolves when all text has left the process. */
  flush: () => Promise<void>;
};

/** Wraps a stream. A broken pipe closes the output and is no error; any other failure (a full disk) goes to `onFailure`. */
const createOutput = (
  stream: NodeJS.WriteStream,
  environment: Readonly<Record<string, string | undefined>>,
  onFailure: (error: Error) => void,
): Output => {
  const closing = new AbortController();
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE' && error.code !== 'EIO') onFailure(error);
    closing.abort();
  });
  const write = (text: string | Uint8Array) => {
    if (!closing.signal.aborted) stream.write(text);
  };
  const isTerminal = stream.isTTY === true;
  return {
    write,
    line: (text = '') => write(`${text}\n`),
    isTerminal,
    color: isTerminal && !environment['NO_COLOR'] && environment['TERM'] !== 'dumb',
    columns: (stream as WriteStream).columns ?? 80,
    closed: closing.signal,
    flush: () =>
      new Promise((resolve) => {
        if (closing.signal.aborted) resolve();
        else stream.write('', () => resolve());
      }),
  };
};

/** Where results go, and where everything else does. */
export type Outputs = { stdout: Output; stderr: Output };

/** Standard output and standard error of this process. A full disk behind them is told once and makes the run fail. */
export const openOutputs = (): Outputs => {
  const stderr = createOutput(process.stderr, process.env, () => {});
  const stdout = createOutput(process.stdout, process.env, (error) => {
    process.exitCode = 1;
    stderr.line(`colophon: cannot write to standard output: ${error.message}`);
  });
  return { stdout, stderr };
};
