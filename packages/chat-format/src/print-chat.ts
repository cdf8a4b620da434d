import { contentError, roleError, tooLongError } from './errors.js';
import type { PrintableMessage } from './message.js';
import { isDirective } from './roles.js';
import { nextLine, scanLines } from './scan-lines.js';
import { addText, builtText, chainLimit, textBuilder, textLength, writtenOut } from './text-builder.js';
import { isWhite } from './white-space.js';

/**
 * Prints a chat as text that reads back as the same messages, whatever their contents hold. The text begins with a
 * newline and has none at its end. Costs one pass over the contents.
 */
export const printChat = (chat: readonly PrintableMessage[]): string => {
  const text = textBuilder();
  try {
    for (const message of chat) addText(text, `${textLength(text) === 0 ? '\n' : '\n\n'}${printMessage(message)}`);
    return builtText(text);
  } catch (cause) {
    throw cause instanceof RangeError ? tooLongError('The printed chat', cause) : cause;
  }
};

const printMessage = (message: PrintableMessage): string => {
  const { role } = message;
  if (typeof role !== 'string' || !/^[a-z][a-z0-9_]*$/.test(role)) throw roleError(message);
  const content = contentText(message);
  const directive = isDirective(role);
  if (content === '') return directive ? `${role}:` : `${role}:\n\n\\&`;
  const before = isWhite(content.charCodeAt(0)) ? '\\&\n' : '';
  const after = isWhite(content.charCodeAt(content.length - 1)) ? '\n\\&' : '';
  if ((directive || lineRoles.has(role)) && before === '' && after === '' && !content.includes('\n')) {
    return `${role}: ${content}`;
  }
  return `${role}:\n\n${before}${escapeContent(content)}${after}`;
};

/** Roles that print on one line, beside the directives. */
const lineRoles = new Set(['function_call', 'function_call_output', 'meta', 'previous_response_id']);

/** The text of a content: objects and arrays as JSON, nothing as nothing. */
export const contentText = (message: PrintableMessage): string => {
  const { content } = message;
  if (typeof content === 'string') {
    if (!isWellFormed(content))
      throw contentError(message, 'it holds half of a surrogate pair, which no file can hold');
    return content;
  }
  if (content === null || content === undefined) return '';
  let text: string | undefined;
  try {
    text = JSON.stringify(content);
  } catch (cause) {
    throw contentError(message, 'it cannot be written as JSON', cause);
  }
  if (text === undefined) throw contentError(message, `a ${typeof content} cannot be written as JSON`);
  return text;
};

const isWellFormed = (text: string) => (text as string & { isWellFormed(): boolean }).isWellFormed();

/** Puts a backslash before the lines that would not read back as the content that they are. */
const escapeContent = (content: string): string => {
  const scan = scanLines(content, true);
  let escaped = '';
  let recent = '';
  let copied = 0;
  while (nextLine(scan)) {
    if (scan.kind === 'fence' || scan.kind === 'tag') continue;
    recent += `${content.slice(copied, scan.start)}\\`;
    copied = scan.start;
    if (recent.length > chainLimit) {
      escaped += writtenOut(recent);
      recent = '';
    }
  }
  return copied === 0 && recent === '' ? content : escaped + recent + content.slice(copied);
};
