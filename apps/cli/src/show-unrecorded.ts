import { ColophonError, type Message, printChat } from '@colophon/chat-format';
import type { MachineContext } from './context.js';

/** Shows what a run could not write down, as the text that the chat lacks: it may be paid for. Nothing for any other error. */
export const showUnrecorded = (error: unknown, { log, stderr }: MachineContext): void => {
  const messages = error instanceof ColophonError ? (error.facts['unrecorded'] as Message[] | undefined) : undefined;
  if (!messages || messages.length === 0) return;
  log('error', 'not recorded; append it to the chat, or it is lost:');
  stderr.line(printChat(messages));
};
