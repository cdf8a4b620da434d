import type { Chat } from '@colophon/chat-format';
import { stopIfAborted } from './abort.js';
import type { CompileContext, Stage } from './context.js';
import { clean } from './stages/clean.js';
import { clear } from './stages/clear.js';
import { config } from './stages/config.js';
import { files } from './stages/files.js';
import { importChats } from './stages/imports.js';
import { jobs } from './stages/jobs.js';
import { normalise } from './stages/normalise.js';
import { setup } from './stages/setup.js';
import { tasks } from './stages/tasks.js';

/** Runs the stages of a context, in order: its own list, else `stages`. */
export const runStages = async (chat: Chat, context: CompileContext): Promise<Chat> => {
  let compiled = chat;
  for (const stage of context.stages ?? stages) {
    stopIfAborted(context);
    compiled = await stage(compiled, context);
  }
  stopIfAborted(context);
  return compiled;
};

/** The stage that puts imported chats in: see `importChats`. */
export const imports = (chat: Chat, context: CompileContext): Promise<Chat> => importChats(chat, context, runStages);

/**
 * What compiling does, in order. There is no other step: parsing comes before, and the prompt is made after. A caller extends it by a
 * list of its own in the context: `{...context, stages: [...stages.slice(0, 5), mine, ...stages.slice(5)]}`.
 */
export const stages: readonly Stage[] = [normalise, imports, clear, clean, config, tasks, jobs, files, setup];
