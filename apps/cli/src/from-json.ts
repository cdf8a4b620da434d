import { ColophonError, type PrintableMessage } from '@colophon/chat-format';

const invalid = (file: string, message: string, cause?: unknown) =>
  new ColophonError(
    'invalid_json',
    `${file}: ${message}; expected a list like [{"role": "user", "content": "hello"}]`,
    { cause },
  );

/** Reads messages from JSON: a list of objects with a role and a content. Says which message is wrong. */
export const messagesFromJson = (text: string, file: string): PrintableMessage[] => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalid(file, `not JSON (${(error as Error).message})`, error);
  }
  if (!Array.isArray(value)) throw invalid(file, 'holds no list of messages');
  return value.map((message: unknown, index) => {
    if (typeof message !== 'object' || message === null || Array.isArray(message))
      throw invalid(file, `message ${index} is no object`);
    const { role, content = null } = message as Record<string, unknown>;
    if (typeof role !== 'string') throw invalid(file, `message ${index} has no role`);
    return { role, content };
  });
};
