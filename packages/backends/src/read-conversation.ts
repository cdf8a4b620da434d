import type { Chat } from '@colophon/chat-format';
import { parseChat } from '@colophon/chat-format';
import { readText } from '@colophon/chat-format/node';
import { withoutPiece } from './torn-end.js';

const isMissing = (error: unknown): boolean =>
  error instanceof Error && [error, error.cause].some((part) => (part as { code?: unknown })?.code === 'ENOENT');

/**
 * The messages of a chat's file as a run that goes on with it sees them: without a last piece that a killed run did not write to its
 * end. Empty where there is no file.
 */
export const readConversation = async (file: string): Promise<Chat> => {
  let text: string;
  try {
    text = await readText(file);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
  return withoutPiece(parseChat(text, { file }), text);
};
