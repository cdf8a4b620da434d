import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ColophonError } from '@colophon/chat-format';
import type { McpServer } from '@colophon/tools';
import type { McpSettings } from '@colophon/tools/mcp';
import type { Environment, MachineContext } from './context.js';

/** Where servers of a root stand. */
const mcpConfigPath = (root: string): string => join(root, 'etc', 'mcp.json');

const badConfig = (file: string, problem: string, cause?: unknown) =>
  new ColophonError('bad_mcp_config', `${file}: ${problem}`, { cause });

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Texts with each `${NAME}` replaced by that variable of the environment. */
const fillIn = (value: unknown, environment: Environment, place: string): unknown => {
  if (typeof value === 'string')
    return value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
      const found = environment[name];
      if (found === undefined) throw badConfig(place, `the variable ${name} is not set in the environment`);
      return found;
    });
  if (Array.isArray(value)) return value.map((entry) => fillIn(entry, environment, place));
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, fillIn(entry, environment, place)]));
  return value;
};

/** `command` and `args` apart, as other programs write them, are the words of one command. */
const toSettings = ({ args, cwd, type: _, ...entry }: Record<string, unknown>): McpSettings => ({
  ...entry,
  ...(typeof entry['command'] === 'string' && Array.isArray(args) ? { command: [entry['command'], ...args] } : {}),
  ...(typeof cwd === 'string' ? { workingDirectory: cwd } : {}),
});

type Entry = { file: string; value: unknown };

const readServers = (file: string): Record<string, unknown> => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return {};
    throw error;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw badConfig(file, `it is no JSON (${(error as Error).message})`, error);
  }
  const servers = isRecord(value) ? value['mcpServers'] : undefined;
  if (!isRecord(servers)) throw badConfig(file, 'expected {"mcpServers": {"NAME": {"url" or "command": …}}}');
  return servers;
};

const sameCommand = ({ command }: McpSettings, words: readonly string[]): boolean =>
  Array.isArray(command) ? command.join('\0') === words.join('\0') : command === words.join(' ');

const isFor = (settings: McpSettings, server: McpServer): boolean =>
  server.kind === 'http'
    ? settings.url === server.url
    : server.kind === 'stdio' && settings.command !== undefined && sameCommand(settings, server.command);

/**
 * The MCP servers that are configured in `etc/mcp.json` (`{"mcpServers": {NAME: {…}}}`) of the roots that are trusted: a server may be a
 * program, and its settings hold keys. The first root that has a name counts; `${NAME}` stands for a variable of the environment.
 */
export const mcpConfig = ({ roots, environment }: Pick<MachineContext, 'roots' | 'environment'>) => {
  const entries = new Map<string, Entry>();
  for (const { path } of roots.filter(({ trusted }) => trusted)) {
    const file = mcpConfigPath(path);
    for (const [name, value] of Object.entries(readServers(file)))
      if (!entries.has(name)) entries.set(name, { file, value });
  }
  const read = (name: string, { file, value }: Entry): McpSettings => {
    if (!isRecord(value)) throw badConfig(file, `the server ${name} is no object with settings`);
    return toSettings(fillIn(value, environment, `${file}: the server ${name}`) as Record<string, unknown>);
  };
  const settings = (server: McpServer): McpSettings | undefined => {
    if (server.kind === 'named') {
      const entry = entries.get(server.name);
      return entry && read(server.name, entry);
    }
    for (const [name, { value }] of entries)
      if (isRecord(value) && isFor(toSettings(value), server)) return read(name, entries.get(name)!);
    return undefined;
  };
  return { names: [...entries.keys()], settings };
};
