import { type Message, parseChat, printChat } from '@colophon/chat-format';
import type { ResultType } from '@colophon/workflow';

const isMessage = (value: unknown): value is Message => {
  const { role, content } = (value ?? {}) as Partial<Message>;
  return typeof role === 'string' && role !== '' && typeof content === 'string';
};

/**
 * The result type `chat` as messages: a task may return them, or chat text. Reading parses and nothing else: whatever roles stand in a
 * result, none is compiled.
 */
export const chatResultType: ResultType = {
  extension: '.chat',
  problem: (value) => {
    if (typeof value === 'string') return undefined;
    if (!Array.isArray(value)) return 'it is neither chat text nor a list of messages';
    const index = value.findIndex((message) => !isMessage(message));
    return index < 0 ? undefined : `element ${index + 1} is no message with a role and text as content`;
  },
  print: (value) => (typeof value === 'string' ? value : `${printChat(value as Message[])}\n`),
  read: (bytes) => parseChat(new TextDecoder().decode(bytes)).map(({ role, content }) => ({ role, content })),
};
