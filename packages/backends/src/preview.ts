import type { Chat } from '@colophon/chat-format';
import { type ToolDefinition, toolDefinition } from '@colophon/tools';
import { contextOf } from './ask.js';
import type { AskInput, AskOptions } from './ask-options.js';
import { openInput } from './open-input.js';
import { prepare } from './prepare.js';
import { requestOptions } from './request-options.js';
import { resolve } from './resolve.js';
import { takeEvidence } from './take-evidence.js';
import { thread } from './thread.js';

/** What a request would be made of. */
export type Preview = {
  backend: string;
  model: string;
  /** The prompt, as the model would see it. */
  chat: Chat;
  tools: ToolDefinition[];
  parameters: Record<string, unknown>;
  /** The request's body, for a backend with a wire format. Without credentials. */
  request?: unknown;
};

/**
 * What `ask` would send first, without sending it: nothing is recorded, no file is held, no note is taken from the inbox.
 * Directives of the chat that run something do run: give a context with the policy `read` to forbid it.
 */
export const previewRequest = async (input: AskInput, options: AskOptions = {}): Promise<Preview> => {
  const context = await contextOf(options);
  const opened = await openInput(input, options, context, { hold: false });
  const { signal } = new AbortController();
  const run = await resolve({ input: opened, options, context, signal, streams: false, emit: () => {} });
  await takeEvidence(run);
  const prompt = await prepare(run, thread(run), { quiet: true });
  const { backend, model, parameters } = run.options;
  const body =
    'toRequest' in backend
      ? { request: await backend.toRequest(prompt.chat, run.tools, requestOptions(run, prompt)) }
      : {};
  return {
    backend: backend.name,
    model,
    chat: prompt.chat,
    tools: run.tools.map((tool) => toolDefinition(tool)),
    parameters,
    ...body,
  };
};
