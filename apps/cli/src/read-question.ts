import { extname } from 'node:path';
import { files as filesStage, findFile } from '@colophon/chat-compile';
import { type Chat, chat, type Message } from '@colophon/chat-format';
import { compileContext } from './compile-context.js';
import type { MachineContext } from './context.js';
import { readStdin, stdinKind } from './read-stdin.js';
import { readTemplate } from './read-template.js';

/** What the person asks with: words, files to put before them, a template, chats to import. */
export type Asked = {
  words: readonly string[];
  files?: readonly string[] | undefined;
  template?: string | undefined;
  imports?: readonly string[] | undefined;
};

/** `...` that stands by itself: the place of standard input in a question. */
const place = /(?<![\w.])\.\.\.(?![\w.])/;

/** Files that a model takes as they are; any other is put in as text. */
const attachments: Readonly<Record<string, string>> = {
  png: 'image',
  jpg: 'image',
  jpeg: 'image',
  gif: 'image',
  webp: 'image',
  pdf: 'pdf',
};

const fileMessages = async (names: readonly string[], context: MachineContext): Promise<Chat> => {
  const compile = compileContext(context);
  const named = await Promise.all(
    names.map(async (name) => {
      const role = attachments[extname(name).slice(1).toLowerCase()];
      return role === undefined ? { role: 'file', content: name } : { role, content: await findFile(name, compile) };
    }),
  );
  return filesStage(named, compile);
};

const importMessages = (names: readonly string[], context: MachineContext): Promise<Message[]> =>
  Promise.all(
    names.map(async (name) => ({ role: 'import', content: await findFile(name.trim(), compileContext(context)) })),
  );

const tagged = (text: string): Chat => [...chat([]).tag(text, 'stdin')];

/** Standard input and the words, joined: the input stands where `...` is, else it is the question, or a message before it. */
const joinInput = async (
  words: readonly string[],
  context: MachineContext,
): Promise<{ before: Chat; question: string | undefined }> => {
  const question = words.length > 0 ? words.join(' ') : undefined;
  const kind = stdinKind(context);
  if (kind === 'terminal' || kind === 'nothing') return { before: [], question };
  const expected = question !== undefined && place.test(question);
  const input = (await readStdin(context, { expected }))?.replace(/\n$/, '');
  if (input === undefined || input === '') return { before: [], question };
  if (question === undefined) return { before: [], question: input };
  const at = place.exec(question);
  if (at) return { before: [], question: question.slice(0, at.index) + input + question.slice(at.index + 3) };
  return { before: tagged(input), question };
};

/**
 * The messages that a question is made of, none of which is parsed for roles but the template's: imports, files, standard input,
 * the words. Empty where nothing was asked.
 */
export const readQuestion = async (
  { words, files = [], template, imports = [] }: Asked,
  context: MachineContext,
): Promise<Chat> => {
  const { before, question } = await joinInput(words, context);
  const imported = await importMessages(
    imports.flatMap((list) => list.split(',')),
    context,
  );
  const given = [...(await fileMessages(files, context)), ...before];
  if (template === undefined) {
    return [...imported, ...given, ...(question === undefined ? [] : [{ role: 'user', content: question }])];
  }
  const filled = await readTemplate(template, question, context);
  const last = filled.findLastIndex(({ role }) => role === 'user');
  return [...imported, ...filled.slice(0, Math.max(0, last)), ...given, ...filled.slice(Math.max(0, last))];
};
