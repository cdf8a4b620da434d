import { findFile } from '@colophon/chat-compile';
import { type Chat, ColophonError, checkChat, type Problem, parseChat } from '@colophon/chat-format';
import { compileContext } from './compile-context.js';
import type { MachineContext } from './context.js';

/** Something wrong with a chat: with its text, or with what it names. */
export type FileProblem = Pick<Problem, 'message' | 'line' | 'fix'> & {
  code: Problem['code'] | 'missing_file' | 'missing_directory' | 'wrong_kind';
};

/** What is right in many chats, and only worth knowing: it makes no check fail. */
export const isNote = ({ code }: FileProblem): boolean => code === 'escape_taken_off';

const named: Readonly<Record<string, 'file' | 'directory'>> = {
  import: 'file',
  continue: 'file',
  last: 'file',
  file: 'file',
  image: 'file',
  pdf: 'file',
  directory: 'directory',
};

/** Files and folders that a chat names and that are not there. Addresses are left alone. */
const missingFiles = async (chat: Chat, context: MachineContext): Promise<FileProblem[]> => {
  const compile = compileContext(context);
  const problems: FileProblem[] = [];
  for (const message of chat) {
    const kind = named[message.role];
    const name = message.content.trim();
    if (kind === undefined || name === '' || /^(https?|data):/i.test(name)) continue;
    const wanted = kind === 'directory' ? name.replace(/(\s(hidden|ignored|binary)=(true|false))+$/, '') : name;
    try {
      await findFile(wanted, compile, { message, kind });
    } catch (error) {
      if (!(error instanceof ColophonError)) throw error;
      const what = `\`${message.role}: ${name}\` names ${error.code === 'not_found' ? `a ${kind} that is not there` : `what is no ${kind}`}`;
      problems.push({
        code: error.code === 'not_found' ? `missing_${kind}` : 'wrong_kind',
        message: what,
        line: message.at?.line ?? 1,
      });
    }
  }
  return problems;
};

/** All that is wrong with a chat's text: its form, and what it names that is not there. In the order of the lines. */
export const checkText = async (text: string, file: string, context: MachineContext): Promise<FileProblem[]> => {
  const problems: FileProblem[] = [...checkChat(text), ...(await missingFiles(parseChat(text, { file }), context))];
  return problems.sort((a, b) => a.line - b.line);
};
