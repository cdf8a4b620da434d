import assert from 'node:assert/strict';
import { type Chat, ColophonError, type Message, printCall } from '@colophon/chat-format';
import type { Tool } from '@colophon/tools';
import type { Backend, Capabilities, Reply } from '../../backend.js';
import type { ScriptedReply } from '../scripted-server.js';
import type { ExchangeSettings, Stage } from '../stage.js';
import type { ReadRequest } from '../wire.js';

/** Asks the backend on its stage, once. */
export type Ask = (chat: Chat, settings?: ExchangeSettings) => Promise<Reply>;

/** One rule that backends hold: what the script answers, and what must come of it. `needs` says which backends it is for. */
export type Rule = {
  name: string;
  needs?: (backend: Backend) => boolean;
  replies?: ScriptedReply[];
  /** Milliseconds that the client waits. */
  timeout?: number;
  check: (stage: Stage, ask: Ask) => Promise<void>;
};

/** Backends with a capability. */
export const can =
  (part: keyof Capabilities) =>
  (backend: Backend): boolean =>
    backend.capabilities?.[part] === true;

/** Backends that make requests themselves; for the others the loop has checked the chat. */
export const isWire = (backend: Backend): boolean => 'toRequest' in backend;

/** The last request; undefined where the stage can't see any. */
export const seen = (stage: Stage): ReadRequest | undefined => stage.requests().at(-1);

export const user = (content: string): Message => ({ role: 'user', content });

export const assistant = (content: string): Message => ({ role: 'assistant', content });

export const call = (id: string, name: string, args: unknown): Message => ({ role: 'function_call', content: printCall({ id, name, arguments: args }) });

export const output = (id: string, name: string, content: unknown, more: Record<string, unknown> = {}): Message => ({
  role: 'function_call_output',
  content: JSON.stringify({ name, content, id, ...more }),
});

/** A tool with a fixed value that no model may see. */
export const tide: Tool = {
  name: 'tide',
  description: 'Times of high water.',
  parameters: {
    type: 'object',
    properties: { port: { type: 'string' }, unit: { type: 'string' } },
    required: ['port'],
    defaults: { unit: 'metre' },
  },
  run: () => 'at six',
};

/** The error that a promise fails with, which must be one of the project's. */
export const failureOf = async (promise: Promise<unknown>): Promise<ColophonError> => {
  let reply: unknown;
  try {
    reply = await promise;
  } catch (error) {
    assert.ok(error instanceof ColophonError, `expected a ColophonError, got ${error}`);
    return error;
  }
  throw new assert.AssertionError({ message: `expected a failure, got the reply ${JSON.stringify(reply)}` });
};
