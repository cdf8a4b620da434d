import type { Chat } from '@colophon/chat-format';

/** What a strategy may know. Thresholds: `options` first, then `setting`, then the built-in default; read at each call. */
export type StrategyContext = {
  /** Thresholds by their snake_case name, e.g. `epoch_size`. */
  options?: Record<string, unknown>;
  /** Looks a threshold up in configuration or environment, by its snake_case name. */
  setting?: (name: string) => string | number | undefined;
  /** The chat's file, where it has one: the inbox stands beside it. */
  saveFile?: string;
  /** Told the notes that were put into the prompt, as `name:hash`. */
  onInbox?: (notes: string[]) => void;
  signal?: AbortSignal;
  [key: string]: unknown;
};

/** Reshapes a chat for one inference. Never changes the chat it is given. */
export type Strategy = (chat: Chat, context: StrategyContext) => Chat | Promise<Chat>;

/** A prompt and the message indexes (exclusive ends) up to which it will stay the same. */
export type PreparedPrompt = { chat: Chat; boundaries: number[] };
