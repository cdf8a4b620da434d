import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { runCalls, type Tool } from '@colophon/tools';
import { createMcpClients, type McpClients, type McpClientsOptions } from '@colophon/tools/mcp';
import { afterEach } from 'vitest';
import { envelope, now } from '../run.js';

const require = createRequire(import.meta.url);

export const everything = require.resolve('@modelcontextprotocol/server-everything/dist/index.js');
export const filesystem = require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js');
const faulty = fileURLToPath(new URL('faulty-server.mjs', import.meta.url));

let count = 0;

/** A word that stands in the command line of a process, so that `left` finds it and what it started. */
export const marker = (): string => `marker-${process.pid}-${++count}`;

/** The command of the server that does what no server should. */
export const faultyCommand = (mode = 'plain', note = marker()): string[] => [process.execPath, faulty, mode, note];

/** Processes that live and have a word in their command line. */
export const left = (word: string): string[] =>
  execFileSync('ps', ['-eo', 'pid,stat,args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(word) && !/^\s*\d+\s+Z/.test(line));

const open: McpClients[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((clients) => clients.close()));
});

/** Clients that are closed when the test ends, with what they told. */
export const openClients = (options: Partial<McpClientsOptions> = {}) => {
  const warnings: string[] = [];
  const errorLines: string[] = [];
  const clients = createMcpClients({
    clientInfo: { name: 'test', version: '1' },
    environment: process.env,
    grace: 300,
    onWarning: (text) => warnings.push(text),
    onStderr: (line) => errorLines.push(line),
    ...options,
  });
  open.push(clients);
  return { ...clients, warnings, errorLines };
};

/** Tools of a server over stdio. */
export const stdioTools = async (command: string[], options: Partial<McpClientsOptions> = {}) => {
  const clients = openClients(options);
  return { ...clients, list: await clients.tools({ kind: 'stdio', command }) };
};

/** Calls one tool and gives its envelope. */
export const callOne = async (
  tools: readonly Tool[],
  name: string,
  parameters: object = {},
  context: Partial<Parameters<typeof runCalls>[2]> = {},
): Promise<Record<string, unknown>> => {
  const { outputs } = await runCalls([{ id: 'c1', name, arguments: parameters }], tools, { now, ...context });
  return envelope(outputs[0]);
};
