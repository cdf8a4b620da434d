import { type AnnotatedChat, type Chat, type Message, parseChat } from '@colophon/chat-format';
import type { CompileContext, CompileInput } from './context.js';
import { inputError } from './errors.js';
import { locate } from './find-file.js';
import { readText } from './read-text.js';
import { runStages } from './stages.js';

/** Messages of a text; without a file they still know their line. */
const parse = (text: string, file: string | undefined): Chat => {
  const chat = parseChat(text, { file: file ?? '' });
  if (file === undefined) for (const message of chat) if (message.at) message.at = { line: message.at.line };
  return chat;
};

const isMessages = (input: CompileInput): input is readonly (Message | string)[] => Array.isArray(input);

const readInput = async (input: CompileInput, context: CompileContext): Promise<{ chat: Chat; origin?: string }> => {
  const origin = context.origin === undefined ? {} : { origin: context.origin };
  if (typeof input === 'string') return { chat: parse(input, context.origin), ...origin };
  // Arrays first: one with the verbs of a chat has a `file` too.
  if (isMessages(input)) return { chat: input as Chat, ...origin };
  const file: unknown = input?.file;
  if (typeof file !== 'string' || file.trim() === '')
    throw inputError(
      typeof input === 'object' && input ? `{file: ${JSON.stringify(file) ?? typeof file}}` : String(input),
    );
  const { origin: _, ...elsewhere } = context;
  const { path, facts } = await locate(file, elsewhere);
  return { chat: parse(await readText(path, facts.size, context, undefined), path), origin: path };
};

/**
 * What a person wrote → what is asked. Text is chat text, never a path; `{file}` is a chat file, found as `findFile` finds it; texts
 * in an array are `user` messages. The stages run in the order of the exported list (or of the context's own) on copies: the input is
 * not changed, and configuration and grants of the context are added to only when every stage is through, so that an error leaves nothing
 * half done.
 *
 * One context is for one compilation. Where several go on at once, give each `createContext(base)`.
 *
 * @returns the compiled chat with the verbs of a chat; options and tools are still in it
 * @throws ColophonError `invalid_input`, what finding and reading the file throws, and of any stage; `aborted` where the context's signal says stop.
 */
export const compileChat = async (input: CompileInput, context: CompileContext): Promise<AnnotatedChat> => {
  const { config, grants } = context;
  const own: CompileContext = {
    ...context,
    config: [...config],
    grants: { writable: [...grants.writable], readable: [...grants.readable] },
    imported: new Map(),
  };
  const known = config.length;
  const { chat, ...place } = await readInput(input, own);
  const compiled = await runStages(chat, { ...own, ...place });
  for (const entry of own.config.slice(known)) config.push(entry);
  for (const kind of ['writable', 'readable'] as const) {
    const granted = new Set(grants[kind]);
    for (const path of new Set(own.grants[kind])) if (!granted.has(path)) grants[kind].push(path);
  }
  return compiled as AnnotatedChat;
};
