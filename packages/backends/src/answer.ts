import type { Chat, Message, Meta, Tokens } from '@colophon/chat-format';
import type { ReplyCall, StopReason } from './backend.js';

/** Something that was left out or could not be held, while the rest went on. */
export type Warning = { code: string; message: string };

/** What `ask` returns. */
export type Answer = {
  /** Text of the reply that ended the loop; empty where the loop was stopped before one, or the reply had none. */
  text: string;
  /** Everything new, in order, as it was recorded: metas, texts, calls, outputs. Without the question. */
  messages: Chat;
  stopReason: StopReason;
  /** Why it was stopped, for `aborted`, `max_rounds` and `budget`. */
  reason?: string;
  /** What this run paid for: the sum of its replies, without cached ones. */
  tokens: Tokens;
  /** Dollars; absent where a price or a count is not known. */
  cost?: number;
  /** With `format`: the checked value. */
  object?: unknown;
  /** With `format`: why the text is no such value. */
  formatError?: string;
  warnings: Warning[];
};

/** What happens while `ask` runs, in order. */
export type AskEvent =
  | { kind: 'round-start'; round: number; backend: string; model: string }
  | { kind: 'text-delta'; text: string }
  | { kind: 'reasoning-delta'; text: string }
  | { kind: 'tool-call'; call: ReplyCall }
  | { kind: 'tool-result'; message: Message; index: number }
  | { kind: 'meta'; meta: Meta }
  | { kind: 'end'; answer: Answer };
