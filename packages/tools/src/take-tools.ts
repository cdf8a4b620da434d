import { type Chat, ColophonError, type Message } from '@colophon/chat-format';
import type { Declaration, Declared, ToolSources } from './declarations/declaration.js';
import { declarations } from './declarations/declarations.js';
import { splitWords } from './declarations/split-words.js';
import { defineTool } from './define-tool.js';
import { badDeclaration, declarationFailed, missingEngine, shownLine } from './errors.js';
import { checkRegistry } from './registry.js';
import type { Tool } from './tool.js';

/** What `takeTools` needs: engines, and further declaring roles where there are any. */
export type TakeToolsContext = ToolSources & { declarations?: Record<string, Declaration> };

/** A chat without its tool roles, the tools that they declared, and whether the provider's own search is asked for. */
export type TakenTools = { chat: Chat; tools: Tool[]; websearch: boolean };

// What each clearing role makes forgotten; an introduction is text and stays.
const clears: Record<string, (role: string) => boolean> = {
  clear_tools: (role) => role !== 'introduce',
  clear_associations: (role) => role === 'association',
};

const on = ({ content }: Message): boolean => content.trim() !== 'false';

// Roles that turn tools on and off; the last one counts. Each is served by the engine of its name.
const switches: Record<string, (sources: ToolSources, message: Message) => ReturnType<Declaration>> = {
  socialize: async ({ socialize }, message) => {
    if (!socialize) throw missingEngine(message, 'an engine that asks agents (`socialize`)');
    return { tools: await socialize(message) };
  },
  attachments: async ({ attachments }, message) => {
    if (!attachments) throw missingEngine(message, 'an engine that attaches files (`attachments`)');
    return { tools: await attachments(message) };
  },
};

const turnsOn = ({ content }: Message): boolean => ['true', 'TRUE', 'True', 'T', '1'].includes(content.trim());

const placeOf = (message: Message, index: number): string => {
  const { file, line } = message.at ?? {};
  const place = line === undefined ? `message ${index}` : file === undefined ? `line ${line}` : `${file}:${line}`;
  return `${place} ${shownLine(message)}`;
};

const wordsOf = (message: Message): { words: string[]; alias: string | undefined } => {
  const words = splitWords(message.content, message);
  const alias = words.findLast((word) => word.startsWith('as='))?.slice(3);
  return { words: words.filter((word) => !word.startsWith('as=')), alias };
};

const rename = (declared: Declared, alias: string | undefined, message: Message): Declared => {
  if (alias === undefined) return declared;
  const [tool, ...others] = declared.tools ?? [];
  if (!tool || others.length > 0) {
    const count = declared.tools?.length ?? 0;
    throw badDeclaration(
      message,
      `\`as=${alias}\` renames one tool, and this line declares ${count}; name the one that is meant`,
    );
  }
  return { ...declared, tools: [{ ...tool, name: alias }] };
};

const isAbort = (cause: unknown): boolean => cause instanceof Error && cause.name === 'AbortError';

// An abort passes, and an error of ours that knows its place; anything else that an engine throws gets the place of the line.
const failed = (message: Message, cause: unknown): unknown =>
  isAbort(cause) || (cause instanceof ColophonError && 'at' in cause.facts) ? cause : declarationFailed(message, cause);

const declare = async (
  declaration: Declaration,
  words: readonly string[],
  message: Message,
  sources: ToolSources,
): Promise<Declared> => {
  try {
    return await declaration(words, message, sources);
  } catch (cause) {
    throw failed(message, cause);
  }
};

const checkedTool = (tool: Tool, message: Message): Tool => {
  try {
    return defineTool(tool);
  } catch (cause) {
    throw failed(message, cause);
  }
};

/**
 * Removes the roles that declare tools from a compiled chat and returns what they declare, in the order of the chat. An
 * `introduce` leaves a `user` message in its place, once a workflow. `clear_tools` and `clear_associations` (unless `false`)
 * forget what stands above them: that is not even loaded. A line that repeats an earlier one counts once. Of `socialize` and
 * `attachments` the last line counts: `true`, `T` or `1` turns their tools on, anything else off.
 *
 * Throws `duplicate_tool` (two tools of one name, unless the later is declared with `as=other_name`), `missing_engine`,
 * `bad_declaration`, `declaration_failed` (what an engine throws), `invalid_tool`, `unknown_workflow`, `unknown_task`, `unknown_input`, `unknown_server_tool`, each with file and line.
 */
export const takeTools = async (chat: readonly Message[], context: TakeToolsContext): Promise<TakenTools> => {
  const table: Record<string, Declaration> = { ...declarations, ...context.declarations };
  const lastClear = Object.keys(clears).map(
    (role) => [clears[role]!, chat.findLastIndex((message) => message.role === role && on(message))] as const,
  );
  const forgotten = (role: string, index: number): boolean =>
    lastClear.some(([clear, last]) => index < last && clear(role));
  const rest: Chat = [];
  const tools: Tool[] = [];
  const seen = new Set<string>();
  const switched = new Map<string, { message: Message; index: number }>();
  let websearch = false;
  for (const [index, message] of chat.entries()) {
    const { role } = message;
    if (Object.hasOwn(clears, role)) continue;
    if (role === 'websearch') {
      if (!forgotten(role, index)) websearch = on(message);
      continue;
    }
    if (Object.hasOwn(switches, role)) {
      if (!forgotten(role, index)) switched.set(role, { message, index });
      continue;
    }
    if (!Object.hasOwn(table, role)) {
      rest.push(message);
      continue;
    }
    const { words, alias } = wordsOf(message);
    const key = JSON.stringify([role, words, alias]);
    if (forgotten(role, index) || seen.has(key)) continue;
    seen.add(key);
    const declared = await declare(table[role]!, words, message, context);
    for (const tool of rename(declared, alias, message).tools ?? [])
      tools.push({ ...checkedTool(tool, message), origin: placeOf(message, index) });
    for (const introduced of declared.messages ?? []) rest.push(introduced);
  }
  for (const [role, { message, index }] of switched) {
    if (!turnsOn(message)) continue;
    const declared = await declare((_, line, sources) => switches[role]!(sources, line), [], message, context);
    for (const tool of declared.tools ?? [])
      tools.push({ ...checkedTool(tool, message), origin: placeOf(message, index) });
  }
  checkRegistry(tools);
  return { chat: rest, tools, websearch };
};
