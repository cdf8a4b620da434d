import type { Message } from '@colophon/chat-format';
import { split } from 'shlex';
import { badDeclaration } from '../errors.js';

/** Splits a declaration as a shell does: quotes and backslashes protect; nothing is expanded. */
export const splitWords = (text: string, message: Message): string[] => {
  try {
    return split(text);
  } catch (cause) {
    throw badDeclaration(message, 'a quote is opened and not closed', cause);
  }
};
