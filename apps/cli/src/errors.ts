import { ColophonError } from '@colophon/chat-format';

/** Wrong use of the command line: told with exit code 2. `command` is the command whose help explains. */
export const usageError = (message: string, command?: string) =>
  new ColophonError('usage', `${message}; see \`colophon ${command ? `${command} ` : ''}--help\``, { command });

/** A file that was named on the command line is not there. */
export const noSuchFile = (name: string, looked: readonly string[] = []) =>
  new ColophonError(
    'no_such_file',
    `${name}: no such file${looked.length > 0 ? ` (looked at ${looked.join(', ')})` : ''}`,
  );

/** A folder stands where a file was expected. */
export const isFolder = (name: string) => new ColophonError('is_folder', `${name} is a folder; name a file in it`);

/** Bytes that are no text were named as a chat. */
export const notText = (name: string) =>
  new ColophonError('not_text', `${name} is not text (it holds NUL bytes or invalid UTF-8); a chat is a text file`);
