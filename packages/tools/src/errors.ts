import { ColophonError, type Message } from '@colophon/chat-format';
import { messageOf } from './message-of.js';
import { redact } from './redact.js';
import { headOf } from './well-formed.js';

const list = (names: readonly string[]): string =>
  names.length > 0 ? names.map((name) => `\`${name}\``).join(', ') : 'none';

/** A declaring line as an error shows it: without what looks like a credential. */
export const shownLine = ({ role, content }: Message): string => {
  const line = redact(`${role}: ${content}`);
  return line.length > 200 ? `${headOf(line, 200)}…` : line;
};

/** A tool object lacks a part, or a part has the wrong shape. */
export const invalidTool = (tool: string, problem: string) =>
  new ColophonError('invalid_tool', `Tool ${tool}: ${problem}.`, { tool });

/** Two tools of one name in a registry. */
export const duplicateTool = (name: string, first: string, second: string) =>
  new ColophonError(
    'duplicate_tool',
    `Two tools are named \`${name}\`: one from ${first}, one from ${second}. Leave one out, or rename the later one by adding \`as=other_name\` to its line.`,
    { tool: name, origins: [first, second] },
  );

/** A declaration whose words can't be understood. */
export const badDeclaration = (message: Message, problem: string, cause?: unknown) =>
  new ColophonError('bad_declaration', `\`${shownLine(message)}\`: ${problem}.`, {
    at: message.at,
    role: message.role,
    cause,
  });

/** An engine, or a tool that it gave, can't serve a declaration. What it says is told with the place of the line. */
export const declarationFailed = (message: Message, cause: unknown) =>
  new ColophonError(
    cause instanceof ColophonError ? cause.code : 'declaration_failed',
    `\`${shownLine(message)}\`: ${messageOf(cause)}`,
    { at: message.at, role: message.role, cause },
  );

/** A declaration that only an engine can serve, and the context has none. */
export const missingEngine = (message: Message, engine: string) =>
  new ColophonError(
    'missing_engine',
    `\`${shownLine(message)}\` needs ${engine} in the context, and this one has none. Hand one in, or take the line out.`,
    { at: message.at, role: message.role },
  );

/** A declaration names a workflow, task, input or server tool that does not exist. */
export const unknownName = (message: Message, kind: string, name: string, known?: readonly string[]) =>
  new ColophonError(
    `unknown_${kind.replaceAll(' ', '_')}`,
    `\`${shownLine(message)}\`: there is no ${kind} \`${name}\`${known ? `; known: ${list(known)}` : ''}.`,
    { at: message.at, role: message.role, name, known },
  );

/** `mcp: name`, and the configuration has no server of that name. */
export const unknownMcpServer = (name: string, known?: readonly string[]) =>
  new ColophonError(
    'unknown_mcp_server',
    `The configuration has no MCP server \`${name}\`${known ? `; it has: ${list(known)}` : ''}. Name one of them, or write \`mcp: https://…\` or \`mcp: stdio "command"\`.`,
    { name, known },
  );

/** Settings of an MCP server that can't be meant so. The values are not shown: they may be credentials. */
export const badMcpServer = (server: string, problem: string) =>
  new ColophonError('bad_mcp_server', `The settings of the MCP server ${server}: ${problem}.`, { server });

/** An MCP server that could not be connected to, or did not tell its tools. `problem` holds no credential. */
export const mcpUnreachable = (server: string, problem: string) =>
  new ColophonError('mcp_unreachable', `The MCP server ${server} can't be used: ${problem}`, { server });

/** Clients are asked for tools after they were closed. */
export const mcpClosed = () =>
  new ColophonError('mcp_closed', 'The MCP clients of this run are closed; make new ones for another run.', {});

/** A place that tools can't be served at. */
export const badMcpPlace = (place: string, problem: string, cause?: unknown) =>
  new ColophonError('bad_mcp_place', `MCP can't be served at ${place}: ${problem}.`, { place, cause });
