import type { Answer, AskOptions, CreatedImage, FormatInput, ObjectAnswer } from '@colophon/backends';
import type { AnnotatedChat, Chat, ChatVerbs } from '@colophon/chat-format';
import type { AgentDefinition } from './agent-definition.js';

/** What an agent does beside adding messages. */
export type AgentVerbs = {
  readonly name: string;
  readonly definition: AgentDefinition;
  /** The conversation, its start included: a plain array with the chat's verbs. It grows as messages are recorded. */
  readonly messages: AnnotatedChat;
  /** The file that it is saved to as it goes; may be set at any time. */
  saveFile: string | undefined;
  /** Begins anew with the start chat, or with this chat in its place. What a saved conversation held moves to `<file>.files/resets/`. */
  start: (chat?: Chat) => Promise<Agent>;
  /** Asks, appends all that is new, and returns the answer. */
  chat: (options?: AskOptions) => Promise<Answer>;
  /** Asks; the conversation stays as it is. */
  ask: (options?: AskOptions) => Promise<Answer>;
  /** Asks one literal text after the start chat; the conversation stays as it is. */
  prompt: (text: string, options?: AskOptions) => Promise<Answer>;
  /** The same as `chat`, for a value of the asked form. */
  object: <S extends FormatInput>(schema: S, options?: AskOptions) => Promise<ObjectAnswer<unknown>>;
  /** Asks for a list, with this prompt, and gives its texts one by one. Prompt and answer are appended. */
  iterate: (prompt: string, options?: AskOptions) => AsyncIterable<string>;
  /** A picture of the conversation, written to a file. */
  createImage: (file: string, options?: AskOptions) => Promise<CreatedImage>;
  /** Gives it the tool `ask`, with which it asks other agents. */
  socialize: () => Agent;
  /** Gives it the tool `hand_off_to_<name>`, with which it asks this one. */
  delegate: (other: Pick<Agent, 'definition'>, name: string, description: string) => Agent;
  /** Writes what its file lacks of the conversation. Returns the file. */
  save: (file?: string) => Promise<string>;
};

/** A conversation that acts: the verbs of its chat, and those of an agent. */
export type Agent = AgentVerbs & Omit<ChatVerbs, keyof AgentVerbs>;
