import type { Chat, Message } from '@colophon/chat-format';
import type { Strategy } from '@colophon/prompt-strategies';
import type { RunContext, Tool } from '@colophon/tools';
import type { AskEvent } from './answer.js';
import type { Backend, Delta } from './backend.js';
import type { BackendTable } from './backends.js';
import type { AskContext } from './context.js';
import type { FormatInput } from './format.js';
import type { Ledger } from './ledger.js';
import type { LoopSteps } from './loop.js';
import type { Prices } from './models.js';

/** Text is one literal `user` message, never parsed for roles; an array is a chat (strings in it are `user` messages). */
export type Messages = string | readonly (Message | string)[];

/** What is asked: messages, or `{file}`, a chat file that the answer is appended to; `question` is added to it first. */
export type AskInput = Messages | { file: string; question?: Messages };

/**
 * Options of one call; they beat those of the chat, which beat the endpoint's file, which beats the environment. Names with a
 * capital are the loop's; every other name is a parameter of the provider (`temperature`, `max_tokens`), and an error where the
 * backend does not know it. `null` unsets what a weaker source says.
 */
export type AskOptions = {
  /** A backend, or its name in `backends`, its path (`./mine.mjs`) or its package. Default `responses`. */
  backend?: string | Backend | null;
  /** The table in which names are looked up. */
  backends?: BackendTable;
  /** Name of a file `etc/AI/<name>.yaml` below a root. */
  endpoint?: string | null;
  model?: string | null;
  /** Name of an agent that answers: the context's `agents` says with which options. */
  agent?: string | null;
  /** Offered to the model, beside those that the chat declares. */
  tools?: readonly Tool[];
  /** The form of the answer: `json`, a JSON Schema, a zod schema, the short form. */
  format?: FormatInput | null;
  /** Keep finished inferences and take them from there. Anything that says no (`false`, `"no"`, 0) turns it off. */
  persist?: unknown;
  /** Names, functions, or `none`; default `shorten_tools_epoch_increment,inbox`. */
  promptStrategies?: string | Strategy | readonly (string | Strategy)[] | null;
  /** Requests that this call may make; default 100. */
  maxRounds?: number;
  /** Tokens (prompt and completion) that this call may use. A reply that tells none ends the run: the budget can't be held. */
  maxTokens?: number;
  /** Dollars that this call may spend. An error beforehand where the model has no known price. */
  maxCost?: number;
  /** Prices that replace the lists', for `maxCost` and the answer's `cost`. */
  prices?: Prices;
  /** `false`: send the whole conversation, also to a provider that keeps it. */
  previousResponse?: boolean;
  previousResponseId?: string;
  /** Offer the provider's own search tool. */
  websearch?: boolean;
  url?: string;
  key?: string;
  headers?: Record<string, string>;
  /** For providers with an address for each region. */
  region?: string;
  /** Milliseconds that a request may take. */
  timeout?: number;
  /** How often the provider's SDK tries a request again. */
  maxRetries?: number;
  /** Tools that run at the same time. */
  concurrency?: number;
  /** Milliseconds that a tool may take. */
  toolTimeout?: number;
  /** Characters that a model gets of one tool's output. */
  maxContentLength?: number;
  /** A file that holds the chat: what it lacks of the input is appended first, then all that is new. */
  saveFile?: string;
  /**
   * What stands in front of the chat, such as an agent's start: messages that are no part of it (nor of its file), or how many of
   * its own do. They are compiled on their own; their options hold for every answer, and those of the chat are stronger.
   */
  before?: Messages | number;
  /** Options that are weaker than those of the chat, and stronger than those of the endpoint's file. */
  defaults?: AskOptions;
  /** The account of the run that this one belongs to: what is used here counts there, too, and its limits hold here. */
  ledger?: Ledger;
  /** A second file that holds the whole conversation, with what stands before it. What it held otherwise is moved to its `resets/`. */
  transcript?: string;
  /** The chat that a person began with, for the request context of jobs; default: the file. */
  mainChat?: string;
  /** Told everything new, as it was recorded. */
  onRecord?: (messages: Chat) => void;
  signal?: AbortSignal;
  /** `false`: replies come whole, also where somebody listens. */
  stream?: boolean;
  onDelta?: (delta: Delta) => void;
  onEvent?: (event: AskEvent) => void;
  /** Told what tools tell while they run. */
  onProgress?: RunContext['onProgress'];
  /** The machine, from `nodeContext`; without one there are no keys, roots or relative paths. */
  context?: AskContext;
  /** Steps of the loop that replace the built-in ones: `{...loopSteps, request: mine}`. */
  steps?: Partial<LoopSteps>;
  [parameter: string]: unknown;
};

/** Messages as data. */
export const toMessages = (given: Messages): Chat =>
  (typeof given === 'string' ? [given] : given).map((message) =>
    typeof message === 'string' ? { role: 'user', content: message } : message,
  );
