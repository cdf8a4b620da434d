import { split } from 'shlex';
import type { McpServer } from '../declarations/declaration.js';
import { badMcpServer, unknownMcpServer } from '../errors.js';
import { isRecord } from '../is-record.js';
import { redact } from '../redact.js';
import { headOf } from '../well-formed.js';
import { secretsOf } from './hide-secrets.js';
import type { McpClientsOptions, McpSettings } from './mcp-settings.js';

/** A server as it is connected to. `label` names it in texts, `secrets` are what no text may hold. */
export type Target = { label: string; secrets: string[]; timeout?: number; only?: readonly string[] } & Place;

/** What makes two declarations one server. */
export type Place =
  | { kind: 'http'; url: string; headers: Record<string, string> }
  | { kind: 'stdio'; command: string; args: string[]; env: Record<string, string>; workingDirectory?: string };

const isTexts = (value: unknown): value is Record<string, string> =>
  isRecord(value) && Object.values(value).every((entry) => typeof entry === 'string');

const readUrl = (url: unknown, label: string): URL => {
  const parsed = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol))
    throw badMcpServer(label, '`url` must be an address that begins with http:// or https://');
  if (parsed.username !== '' || parsed.password !== '')
    throw badMcpServer(label, 'a name or password in the address is not sent; give a `key` or `headers` instead');
  return parsed;
};

const readHeaders = ({ key, headers = {} }: McpSettings, label: string): Record<string, string> => {
  if (!isTexts(headers)) throw badMcpServer(label, '`headers` must be names with texts');
  if (key !== undefined && typeof key !== 'string') throw badMcpServer(label, '`key` must be a text');
  const hasOwn = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  const all = key && !hasOwn ? { ...headers, Authorization: `Bearer ${key}` } : { ...headers };
  for (const [name, value] of Object.entries(all)) {
    try {
      new Headers([[name, value]]);
    } catch {
      throw badMcpServer(label, `the header \`${name}\` can't be sent: a character of it is not allowed there`);
    }
  }
  return all;
};

const readCommand = (command: unknown, label: string): [string, ...string[]] => {
  const problem = '`command` must be a text, or a list of words that begins with the program';
  const words = ((): unknown => {
    try {
      return typeof command === 'string' ? split(command) : command;
    } catch {
      throw badMcpServer(label, 'a quote in `command` is opened and not closed');
    }
  })();
  if (!Array.isArray(words) || !words.every((word) => typeof word === 'string') || !words[0])
    throw badMcpServer(label, problem);
  return words as [string, ...string[]];
};

const toPlace = (settings: McpSettings, label: string, options: McpClientsOptions): Place => {
  if (settings.url !== undefined && settings.command !== undefined)
    throw badMcpServer(label, 'it has a `url` and a `command`; take one of them out');
  if (settings.url !== undefined)
    return { kind: 'http', url: readUrl(settings.url, label).href, headers: readHeaders(settings, label) };
  if (settings.command === undefined) throw badMcpServer(label, 'it has neither a `url` nor a `command`');
  const [command, ...args] = readCommand(settings.command, label);
  if (settings.env !== undefined && !isTexts(settings.env)) throw badMcpServer(label, '`env` must be names with texts');
  const workingDirectory = settings.workingDirectory ?? options.workingDirectory;
  return { kind: 'stdio', command, args, env: { ...settings.env }, ...(workingDirectory ? { workingDirectory } : {}) };
};

// An address is shown without what may hold a credential, a command without what looks like one.
const labelOf = (server: McpServer): string => {
  if (server.kind === 'named') return `\`${server.name}\``;
  if (server.kind === 'stdio') return `\`${headOf(redact(server.command.join(' ')), 120)}\``;
  const { origin, pathname } = readUrl(server.url, 'that a chat declares');
  return `\`${origin}${pathname}\``;
};

/** Where a declared server is, with what configuration says of it. Throws `unknown_mcp_server` and `bad_mcp_server`. */
export const toTarget = async (server: McpServer, options: McpClientsOptions): Promise<Target> => {
  const label = labelOf(server);
  const found = await options.settings?.(server);
  if (server.kind === 'named' && !found) throw unknownMcpServer(server.name, options.names);
  if (found !== undefined && !isRecord(found)) throw badMcpServer(label, 'they must be keys with values');
  const { url: _url, command: _command, ...more } = found ?? {};
  const settings: McpSettings =
    server.kind === 'named'
      ? (found ?? {})
      : server.kind === 'http'
        ? { ...more, url: server.url }
        : { ...more, command: server.command };
  const { timeout, tools } = settings;
  if (timeout !== undefined && !(timeout > 0)) throw badMcpServer(label, '`timeout` must be milliseconds above 0');
  if (tools !== undefined && !(Array.isArray(tools) && tools.every((name) => typeof name === 'string')))
    throw badMcpServer(label, '`tools` must be a list of names');
  const place = toPlace(settings, label, options);
  const secrets = secretsOf({ key: settings.key, headers: settings.headers, env: settings.env });
  return { label, secrets, ...(timeout ? { timeout } : {}), ...(tools ? { only: tools } : {}), ...place };
};
