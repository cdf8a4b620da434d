import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findFile } from '@colophon/chat-compile';
import { type Chat, ColophonError, parseChat } from '@colophon/chat-format';
import { readText } from '@colophon/chat-format/node';
import { compileContext } from './compile-context.js';
import type { MachineContext } from './context.js';
import { noFile, noSuchFile } from './errors.js';
import { shownPath } from './shown-path.js';

const mark = '???';
const spoken = ['user', 'system', 'assistant'];

/** Roles whose content is a path that is read from where the message was written. */
const pathRoles: Readonly<Record<string, 'file' | 'directory'>> = {
  import: 'file',
  continue: 'file',
  last: 'file',
  file: 'file',
  image: 'file',
  pdf: 'file',
  directory: 'directory',
};

const folders = ['questions', 'chats/system', 'chats'];

/** Absolute path of a template: as it is named, or in `questions/`, `chats/system/` or `chats/` of the roots. */
const locateTemplate = async (name: string, context: MachineContext): Promise<string> => {
  const bare = !name.includes('/');
  const library = context.roots.flatMap(({ path }) => folders.map((folder) => join(path, folder, name)));
  const here = resolve(context.workingDirectory, name);
  const places = [here, ...(bare ? library : [])].flatMap((place) => [place, `${place}.chat`]);
  const found = places.find((place) => statSync(place, { throwIfNoEntry: false })?.isFile());
  if (found !== undefined) return found;
  if (statSync(here, { throwIfNoEntry: false })) throw noFile(name);
  throw noSuchFile(name, bare ? ['.', `${folders.join(', ')} of each root`] : []);
};

/** Paths in a template are meant from the template's folder, wherever its messages go: they are made absolute. */
const withAbsolutePaths = (chat: Chat, context: MachineContext): Promise<Chat> =>
  Promise.all(
    chat.map(async (message) => {
      const kind = pathRoles[message.role];
      if (kind === undefined || /^https?:/.test(message.content)) return message;
      const path = await findFile(message.content, compileContext(context), { message, kind }).catch(() => undefined);
      return path === undefined ? message : { ...message, content: path };
    }),
  );

/**
 * Puts a question in the place of `???`, in what the messages say: the question is text, whatever it holds. A template without
 * the mark is followed by the question as a message of its own.
 */
const fillTemplate = (template: Chat, question: string | undefined): Chat => {
  const marked = template.find(({ content }) => content.includes(mark));
  if (marked === undefined)
    return question === undefined ? template : [...template, { role: 'user', content: question }];
  const at = { at: marked.at };
  if (question === undefined)
    throw new ColophonError('no_question', `the template asks for a question (${mark}); give one`, at);
  if (!spoken.includes(marked.role)) {
    throw new ColophonError(
      'bad_template',
      `${mark} stands in a \`${marked.role}:\`; a question can only be part of ${spoken.join(', ')}`,
      at,
    );
  }
  return template.map((message) =>
    spoken.includes(message.role) ? { ...message, content: message.content.split(mark).join(question) } : message,
  );
};

/** Reads a template and fills the question in. */
export const readTemplate = async (
  name: string,
  question: string | undefined,
  context: MachineContext,
): Promise<Chat> => {
  const path = await locateTemplate(name, context);
  const file = shownPath(path, context);
  return withAbsolutePaths(fillTemplate(parseChat(await readText(path), { file }), question), context);
};
