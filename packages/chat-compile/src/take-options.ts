import type { Chat, Message } from '@colophon/chat-format';
import type { CompileContext } from './context.js';
import { notFoundError, notJsonError, optionError } from './errors.js';
import { lookUp } from './find-file.js';
import { readText } from './read-text.js';
import { typedValue } from './typed-value.js';

/** Options of a chat by name, and the chat without the messages that set them. */
export type TakenOptions = {
  options: Record<string, unknown>;
  chat: Chat;
  /** Messages of `chat` that came before the last `previous_response_id`; absent where there is none to go on from. */
  continuesAt?: number;
};

/** Roles that name one thing each and stick. Their values are text: an id of digits stays what it is. */
const sticky = new Set(['endpoint', 'model', 'backend', 'agent', 'previous_response_id']);

const nameOf = ({ content }: Message): string | null | false => {
  const text = content.trim();
  const value = typedValue(text);
  if (text === '' || value === null) return null;
  return value === false || typeof value === 'string' ? value : text;
};

/** `name value`; a name alone is true. */
const readOption = (message: Message): [string, unknown] => {
  const [, name = '', value = ''] = /^(\S*)\s*(.*)$/s.exec(message.content.trim()) ?? [];
  if (!/^[A-Za-z_][\w.-]*$/.test(name)) throw optionError(message, message.content);
  return [name, value === '' ? true : typedValue(value)];
};

/** One line with a dot or a slash in it, before any bracket. */
const looksLikePath = (text: string): boolean => !text.includes('\n') && /^[^{[./]*[./]/.test(text);

/** A format as it is given, or the JSON in the file that it names: one that ends in `.json` must be there. */
const readFormat = async (value: unknown, message: Message, context: CompileContext | undefined): Promise<unknown> => {
  if (value === '') return null;
  if (typeof value !== 'string' || !context || context.policy === 'inspect' || !looksLikePath(value)) return value;
  const found = await lookUp(value, context, message, 'file');
  if (found.path === undefined) {
    if (!value.endsWith('.json')) return value;
    throw notFoundError(message, value, 'file', found);
  }
  const { path, facts } = found;
  const text = await readText(path, facts.size, context, message, context.limits.fileBytes);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw notJsonError(message, path, cause);
  }
};

/**
 * Takes the options out of a chat. `endpoint`, `model`, `backend`, `agent`, `sticky_option` and `previous_response_id` hold from
 * where they stand; `option`, `format` and `persist` until the next `assistant` message, and while they hold they come first.
 * Values are typed (see `typedValue`); `nil` and `null` unset, also what is sticky, while they hold; `option: verbose` is true.
 * `format: schema.json` is the JSON in that file, found from where the message was written, where a context is given.
 * `previous_response: false` leaves the id out.
 *
 * @throws ColophonError `invalid_option`, and for the file of a format `not_found`, `unreadable`, `too_large`, `not_text`,
 * `not_json`.
 */
export const takeOptions = async (chat: Chat, context?: CompileContext): Promise<TakenOptions> => {
  const lasting = new Map<string, unknown>();
  const passing = new Map<string, unknown>();
  const rest: Chat = [];
  let continuesAt: number | undefined;
  for (const message of chat) {
    const { role } = message;
    if (sticky.has(role)) {
      lasting.set(role, nameOf(message));
      if (role === 'previous_response_id') continuesAt = rest.length;
    } else if (role === 'option' || role === 'sticky_option') {
      const [name, value] = readOption(message);
      const read = name === 'format' ? await readFormat(value, message, context) : value;
      (role === 'option' ? passing : lasting).set(name, read);
    } else if (role === 'format') {
      passing.set(role, await readFormat(typedValue(message.content), message, context));
    } else if (role === 'persist') {
      passing.set(role, message.content.trim() === '' ? true : typedValue(message.content));
    } else {
      if (role === 'assistant') passing.clear();
      rest.push(message);
    }
  }
  const holding = new Map([...lasting, ...passing]);
  const continues =
    holding.get('previous_response') !== false && typeof holding.get('previous_response_id') === 'string';
  if (!continues) holding.delete('previous_response_id');
  const options = Object.fromEntries([...holding].filter(([, value]) => value !== null));
  return { options, chat: rest, ...(continues && continuesAt !== undefined ? { continuesAt } : {}) };
};
