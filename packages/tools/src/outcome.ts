import type { Meta } from '@colophon/chat-format';
import type { ToolFailure } from './tool.js';
import { headOf, wellFormed } from './well-formed.js';

/** What became of a call, before it is put in an envelope. `content` is what the model sees. */
export type Outcome = { content: string; error?: ToolFailure; step?: string; meta?: Meta[] };

// A failure stays a failure however long its message is; what is cut off is told.
export const longestFailure = 10_000;

/** A failed outcome: content `{"exception": message}`. */
export const failure = (error: ToolFailure, message: string, more: Pick<Outcome, 'step' | 'meta'> = {}): Outcome => {
  const text =
    message.length > longestFailure
      ? `${headOf(message, longestFailure)} … (${message.length} characters in all)`
      : message;
  return { ...more, content: JSON.stringify({ exception: wellFormed(text) }), error };
};
