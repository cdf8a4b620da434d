import { type Chat, type Message, pairToolCalls, parseChat } from '@colophon/chat-format';
import { stopIfAborted } from '../abort.js';
import type { CompileContext, ImportedChat, ImportLink } from '../context.js';
import {
  emptyError,
  importCycleError,
  importDepthError,
  importFetchError,
  importRoleError,
  notFoundError,
  showChain,
  totalSizeError,
  wrongKindError,
} from '../errors.js';
import { lookUp, realPathOf } from '../find-file.js';
import { isRemote, joinPath, parentOf, shownAddress } from '../paths.js';
import { readText } from '../read-text.js';
import { cleanRoles, purge } from './clean.js';

/** Compiles a chat that was read from `context.origin`. */
export type CompileImported = (chat: Chat, context: CompileContext) => Promise<Chat>;

/** Which part of a compiled chat an import role puts in. */
const parts: Record<string, (chat: Chat) => Chat> = {
  import: purge,
  continue: (chat) => chat.filter(({ content }) => /\S/.test(content)).slice(-1),
  last: (chat) => purge(chat).slice(-1),
};

/** Roles that a chat from the web may hold. */
const conversation = ['user', 'assistant', 'function_call', 'function_call_output', 'mcp_call'];

/** Characters that a message counts beside its content: many small ones fill the memory too. */
const messageWeight = 100;

const measured = (chat: Chat): ImportedChat => ({
  chat,
  characters: chat.reduce((sum, { content }) => sum + messageWeight + content.length, 0),
});

/** A chat without calls that nothing answers: a run that takes up what another left open would run them. */
const answered = (chat: Chat): Chat => {
  const open = new Set<unknown>(
    pairToolCalls(chat).flatMap(({ callAddress, outputAddress }) => (outputAddress === null ? [callAddress] : [])),
  );
  return chat.filter((_, index) => !open.has(index));
};

const fetchChat = async (address: string, context: CompileContext, message: Message): Promise<ImportedChat> => {
  const known = context.imported?.get(address);
  if (known) return known;
  const chain = showChain(context, address);
  if (!context.files.fetchText) throw importFetchError(message, address, chain);
  let text: string;
  try {
    text = await context.files.fetchText(address, context.signal);
  } catch (cause) {
    stopIfAborted(context);
    throw importFetchError(message, address, chain, cause);
  }
  if (text.length > context.limits.totalCharacters)
    throw totalSizeError(message, shownAddress(address), context.limits.totalCharacters, chain);
  const chat = parseChat(text, { file: shownAddress(address) });
  for (const foreign of chat) {
    if (!conversation.includes(foreign.role)) throw importRoleError(foreign, conversation, chain);
  }
  const imported = measured(answered(cleanRoles(chat)));
  context.imported?.set(address, imported);
  return imported;
};

const readChat = async (
  name: string,
  context: CompileContext,
  message: Message,
  compileImported: CompileImported,
): Promise<ImportedChat> => {
  const { origin, limits } = context;
  const found = await lookUp(name, context, message, 'file');
  const chain = showChain(context, found.path ?? found.other?.path ?? name);
  if (found.path === undefined) {
    if (found.other) throw wrongKindError(message, found.other.path, 'file', found.other.kind, chain);
    throw notFoundError(message, name, 'chat file', found, chain);
  }
  const { path, facts } = found;
  const real = await realPathOf(path, context);
  if (path === origin || context.chain?.some((link) => link.real === real)) throw importCycleError(message, chain);
  // What a name in it means depends on the folder that it was found in.
  const key = JSON.stringify([await realPathOf(parentOf(path), context), real]);
  const known = context.imported?.get(key);
  if (known) return known;
  if ((context.chain?.length ?? 0) > limits.importDepth) throw importDepthError(message, limits.importDepth, chain);
  // A character of a chat is at most three bytes of its file.
  if (facts.size > limits.totalCharacters * 3) throw totalSizeError(message, path, limits.totalCharacters, chain);
  const text = await readText(path, facts.size, context, message);
  const imported = measured(await compileImported(parseChat(text, { file: path }), { ...context, origin: path }));
  context.imported?.set(key, imported);
  return imported;
};

/** The file and line of a message, as a link of a chain. */
const linkOf = async ({ at }: Message, context: CompileContext): Promise<ImportLink> => {
  const file = at?.file ?? context.origin;
  const line = at ? { line: at.line } : {};
  if (file === undefined) return line;
  if (isRemote(file)) return { file, ...line };
  return { file, ...line, real: await realPathOf(joinPath(context.workingDirectory, file), context) };
};

/**
 * Puts imported chats in place of `import` (the whole chat without its `previous_response_id`), `continue` (its last message that
 * is not empty) and `last` (its last message without `previous_response_id`). What is imported is compiled first, relative to its own
 * file, and each file once, however often it is named and whatever links lead to it. A chat from an `http(s)` address may only hold
 * a conversation; its calls that have no output are left out.
 *
 * @throws ColophonError `empty_directive`, `not_found`, `wrong_kind`, `import_cycle`, `import_depth`, `import_fetch`, `import_role`,
 * `total_size`, and what compiling the imported chat throws.
 */
export const importChats = async (
  chat: Chat,
  context: CompileContext,
  compileImported: CompileImported,
): Promise<Chat> => {
  if (context.policy === 'inspect' || !chat.some(({ role }) => Object.hasOwn(parts, role))) return chat;
  const imported = context.imported ?? new Map<string, ImportedChat>();
  const { totalCharacters } = context.limits;
  const result: Chat = [];
  let characters = 0;
  for (const message of chat) {
    const part = Object.hasOwn(parts, message.role) ? parts[message.role] : undefined;
    if (!part) {
      result.push(message);
      continue;
    }
    stopIfAborted(context);
    const name = message.content.trim();
    if (name === '') throw emptyError(message, 'the name of a chat file');
    const nested = { ...context, imported, chain: [...(context.chain ?? []), await linkOf(message, context)] };
    const source = isRemote(name)
      ? await fetchChat(name, nested, message)
      : await readChat(name, nested, message, compileImported);
    const messages = part(source.chat);
    characters += messages.length === source.chat.length ? source.characters : measured(messages).characters;
    if (characters > totalCharacters)
      throw totalSizeError(message, 'imports', totalCharacters, showChain(nested, name));
    for (const one of messages) result.push({ ...one });
  }
  return result;
};
