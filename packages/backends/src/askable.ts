import { annotate, type Message } from '@colophon/chat-format';
import { ask } from './ask.js';
import { askObject } from './ask-object.js';
import type { AskOptions } from './ask-options.js';
import type { FormatInput } from './format.js';

/** The verbs that `askable` adds to a chat. */
export type AskVerbs = {
  /** The answer's text; the chat stays as it is. */
  ask: (options?: AskOptions) => Promise<string>;
  /** The same, and appends everything new. */
  chat: (options?: AskOptions) => Promise<string>;
  /** A value of the asked form; the chat stays as it is. */
  object: (schema: FormatInput, options?: AskOptions) => Promise<unknown>;
};

/** Adds `ask`, `chat` and `object` to a chat, as properties that enumeration does not see. `unannotate` takes them off. */
export const askable = <C extends Message[]>(chat: C, defaults: AskOptions = {}): C & AskVerbs =>
  annotate(chat, {
    ask: async (options: AskOptions = {}) => (await ask([...chat], { ...defaults, ...options })).text,
    chat: async (options: AskOptions = {}) => {
      const { text, messages } = await ask([...chat], { ...defaults, ...options });
      chat.push(...messages);
      return text;
    },
    object: async (schema: FormatInput, options: AskOptions = {}) =>
      (await askObject([...chat], { ...defaults, ...options, schema })).object,
  } satisfies AskVerbs);
