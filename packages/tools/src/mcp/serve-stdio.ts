import process from 'node:process';
import type { Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Tool } from '../tool.js';
import { createServer, toListedTools } from './create-server.js';
import { jsonLines } from './json-lines.js';
import type { ServeOptions, Serving, StdioPlace } from './serve-options.js';

// The protocol alone may stand in the output: whatever else the program prints goes to its standard error.
const keepOutput = (): { write: Writable['write']; release: () => void } => {
  const { stdout, stderr } = process;
  const own = stdout.write;
  stdout.write = stderr.write.bind(stderr) as typeof own;
  return {
    write: own.bind(stdout) as Writable['write'],
    release: () => {
      stdout.write = own;
    },
  };
};

/** Serves one client over a pair of streams, until either ends. */
export const serveStdio = async (
  tools: readonly Tool[],
  { input = process.stdin, output = process.stdout }: StdioPlace,
  options: ServeOptions,
): Promise<Serving> => {
  const listed = toListedTools(tools);
  const sdk = await import('./sdk-server.js');
  const kept = output === process.stdout ? keepOutput() : undefined;
  const transport: Transport = jsonLines(input, output, (value) => sdk.JSONRPCMessageSchema.parse(value), kept?.write);
  const server = createServer(sdk, tools, listed, options);
  const ended = new Promise<void>((resolve) => {
    server.onclose = () => {
      kept?.release();
      input.pause();
      // Input that is not read on does not keep the program.
      (input as { unref?: () => void }).unref?.();
      resolve();
    };
  });
  await server.connect(transport);
  return { address: undefined, ended, close: () => server.close().then(() => ended) };
};
