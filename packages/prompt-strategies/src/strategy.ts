import type { Chat, Message } from '@colophon/chat-format';
import type { ToolReading } from './read-tool-message.js';

/** A note or inbox that could not be taken; the rest was. */
export type InboxWarning = { code: string; message: string; path: string };

/** What a strategy may know. Thresholds: `options` first, then `setting`, then the built-in default; read at each call. */
export type StrategyContext = {
  /** Thresholds by their snake_case name, e.g. `epoch_size`. */
  options?: Record<string, unknown>;
  /** Looks a threshold up in configuration or environment, by its snake_case name. */
  setting?: (name: string) => string | number | undefined;
  /** The table that names resolve in; the built-in one where it is missing. */
  strategies?: Record<string, Strategy>;
  /** The chat's file, where it has one: the inbox stands beside it. */
  saveFile?: string;
  /** Told the notes that were put into the prompt, as `name:hash`. */
  onInbox?: (notes: string[]) => void;
  /** Told the notes that stayed where they are, and why. */
  onWarning?: (warning: InboxWarning) => void;
  /** What was read of tool messages so far: a replay of many turns gives a map, so that each is read once. */
  readings?: Map<Message, ToolReading>;
  signal?: AbortSignal;
  [key: string]: unknown;
};

/** Reshapes a chat for one inference. Never changes the chat it is given. */
export type Strategy = (chat: Chat, context: StrategyContext) => Chat | Promise<Chat>;

/** A prompt and the message indexes (exclusive ends, ascending) up to which it will stay the same. */
export type PreparedPrompt = { chat: Chat; boundaries: number[] };
