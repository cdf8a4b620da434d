import type { CompileContext } from '@colophon/chat-compile';
import type { Chat, Message, Meta, Tokens } from '@colophon/chat-format';
import type { StrategyContext } from '@colophon/prompt-strategies';
import type { Tool } from '@colophon/tools';
import type { AskEvent, Warning } from './answer.js';
import type { AskOptions } from './ask-options.js';
import type { AskContext } from './context.js';
import type { Ledger } from './ledger.js';
import type { LoopSteps } from './loop.js';
import type { RunInput } from './open-input.js';
import type { ResolvedOptions } from './resolve-options.js';

/** What the provider already has: everything before `from` in the run's chat, under this id. */
export type Thread = { id: string; from: number };

/** The state of one `ask`, in one place. Steps read it and change it; nothing else holds any. */
export type Run = {
  input: RunInput;
  options: ResolvedOptions;
  context: AskContext;
  compile: CompileContext;
  tools: readonly Tool[];
  /** The conversation that is sent from: compiled, without options, tools and evidence. Grows. */
  chat: Chat;
  /** Those of its messages that stand before the chat itself. */
  start: ReadonlySet<Message>;
  /** The messages that declared tools. */
  declared: Chat;
  /** Everything new, as it was recorded. Grows. */
  fresh: Chat;
  /** The fields of the last meta, with the running totals. */
  meta?: Meta;
  /** What this run paid for. */
  tokens: Tokens;
  /** Dollars so far; undefined once a price or a count is not known. */
  cost: number | undefined;
  /** What this run and all that it delegated used, with its limits. */
  ledger: Ledger;
  rounds: number;
  thread?: Thread;
  promptCacheKey?: string;
  /** Key of the request that is to be sent, where answers are kept. */
  cacheKey?: string;
  /** Texts of a reply whose calls a killed run did not record: asked again, not recorded again. */
  torn: Chat;
  /** What strategies read of tool messages, kept from round to round. */
  readings: NonNullable<StrategyContext['readings']>;
  warnings: Warning[];
  /** The backend's client, made at the first request. */
  client?: unknown;
  /** Somebody listens to deltas. */
  streams: boolean;
  signal: AbortSignal;
  emit: (event: AskEvent) => void;
  /** Steps that an agent's options replace. */
  steps: Partial<LoopSteps>;
  /** What runs that tools begin are given, weaker than what their chats say. */
  passedOn: AskOptions;
};
