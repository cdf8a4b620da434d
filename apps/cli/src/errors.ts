import { ColophonError } from '@colophon/chat-format';

/** Wrong use of the command line: told with exit code 2. `command` is the command whose help explains. */
export const usageError = (message: string, command?: string) =>
  new ColophonError('usage', `${message}; see \`colophon ${command ? `${command} ` : ''}--help\``, { command });

/** A file that was named is in none of the places where it may be. */
export const noSuchFile = (name: string, folders: readonly string[], cause?: unknown) =>
  new ColophonError(
    'no_such_file',
    `there is no file ${name}${folders.length > 0 ? `; looked in ${folders.join(', ')}` : ''}`,
    { cause },
  );

/** A folder, or a device, stands where a file was expected. */
export const noFile = (name: string) => new ColophonError('no_file', `${name} is a folder or a device; name a file`);

/** Standard input holds bytes that are no text. */
export const stdinNotText = () =>
  new ColophonError('not_text', 'standard input is not text in UTF-8; give a file of such a kind to a tool instead');
