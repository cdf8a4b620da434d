import { lookUpConfig } from '@colophon/chat-compile';
import type { Chat, Message } from '@colophon/chat-format';
import { defaultStrategies, preparePrompt } from '@colophon/prompt-strategies';
import type { Run } from './run.js';
import type { View } from './thread.js';

/** A prompt as it goes into the request, and where it came from. */
export type Prompt = {
  chat: Chat;
  boundaries: number[];
  view: View;
  /** Notes of the inbox that are in it, as `name:hash`. */
  notes: string[];
};

const scope = ['prompt', 'context'];

// A matching entry of the configuration beats the environment.
const settingOf =
  ({ compile, context }: Run) =>
  (name: string): string | number | undefined =>
    lookUpConfig(compile.config, name, scope, undefined, context.environment) ||
    (context.setting?.(name) ?? context.environment[name.toUpperCase()]);

const isSaid = ({ role }: Message): boolean => role === 'assistant' || role === 'function_call' || role === 'mcp_call';

/** Step 4: the strategies, on a copy. `quiet` leaves the inbox alone: a prompt that is not sent takes no note. */
export const prepare = async (run: Run, view: View, { quiet = false } = {}): Promise<Prompt> => {
  const { options, input, context, signal, readings, warnings } = run;
  const notes: string[] = [];
  const strategies = (options.own.promptStrategies ?? defaultStrategies) as Parameters<typeof preparePrompt>[1];
  const { chat, boundaries } = await preparePrompt(view.chat, strategies, {
    options: options.thresholds,
    setting: settingOf(run),
    ...(context.strategies ? { strategies: context.strategies } : {}),
    ...(input.file === undefined || quiet ? {} : { saveFile: input.file }),
    onInbox: (names: string[]) => notes.push(...names),
    onWarning: ({ code, message }: { code: string; message: string }) => warnings.push({ code, message }),
    readings,
    signal,
  });
  // Copies: what is recorded is not the backend's to change.
  const copy = chat.map((message) => ({ ...message }));
  if (view.known === 0) return { chat: copy, boundaries, view, notes };
  // What the provider has is left out; what remains has no prefix of its own to keep.
  return { chat: copy.filter((message) => !isSaid(message)), boundaries: [], view, notes };
};
