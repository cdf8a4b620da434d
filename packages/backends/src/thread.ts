import type { Chat } from '@colophon/chat-format';
import type { Run } from './run.js';

/** The part of the conversation that a request is made from. */
export type View = {
  chat: Chat;
  /** How many messages at its beginning the provider has already: calls that new outputs belong to. They are not sent. */
  known: number;
  previousResponseId?: string;
};

const isCall = (role: string | undefined): boolean => role === 'function_call' || role === 'mcp_call';

/** Whether the provider keeps this conversation, and replies may be continued by their id. */
export const isThreading = ({ options }: Run): boolean =>
  options.backend.capabilities?.session === true &&
  options.own.previousResponse !== false &&
  options.parameters['store'] !== false;

/**
 * Step 3: a session backend that has an id to continue from gets what came after it, and the calls that outputs in there answer
 * (so that strategies see whole pairs); others get the whole conversation.
 */
export const thread = (run: Run): View => {
  const { thread: known, chat } = run;
  if (!known || !isThreading(run)) return { chat, known: 0 };
  let start = known.from;
  if (chat[start]?.role === 'function_call_output') while (isCall(chat[start - 1]?.role)) start--;
  return { chat: chat.slice(start), known: known.from - start, previousResponseId: known.id };
};
