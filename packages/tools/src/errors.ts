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
