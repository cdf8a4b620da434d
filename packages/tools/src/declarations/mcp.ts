import type { Message } from '@colophon/chat-format';
import { badDeclaration, missingEngine, unknownName } from '../errors.js';
import type { Declaration, McpServer } from './declaration.js';
import { splitWords } from './split-words.js';

const readServer = (words: readonly string[], message: Message): { server: McpServer; names: readonly string[] } => {
  const [first, second, ...rest] = words;
  if (first === undefined)
    throw badDeclaration(message, 'expected an address, `stdio "command"`, or the name of a configured server');
  if (first === 'stdio') {
    if (!second?.trim())
      throw badDeclaration(
        message,
        'expected a command behind `stdio`, quoted with its arguments: stdio "server --port 1"',
      );
    return { server: { kind: 'stdio', command: splitWords(second, message) }, names: rest };
  }
  const names = words.slice(1);
  return { server: /^https?:\/\//i.test(first) ? { kind: 'http', url: first } : { kind: 'named', name: first }, names };
};

/** `mcp: https://… | stdio "command args…" | name [tool…]`: the tools of a server, all or those named. */
export const mcp: Declaration = async (words, message, sources) => {
  const { server, names } = readServer(words, message);
  if (!sources.mcp) throw missingEngine(message, 'an MCP client (`mcp`)');
  const tools = await sources.mcp(server, message);
  const known = tools.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw unknownName(message, 'server tool', unknown, known);
  return { tools: names.length > 0 ? tools.filter(({ name }) => names.includes(name)) : tools };
};
