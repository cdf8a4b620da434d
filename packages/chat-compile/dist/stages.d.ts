import type { Chat } from '@colophon/chat-format';
import type { CompileContext, Stage } from './context.js';
/** Runs the stages of a context, in order: its own list, else `stages`. */
export declare const runStages: (chat: Chat, context: CompileContext) => Promise<Chat>;
/** The stage that puts imported chats in: see `importChats`. */
export declare const imports: (chat: Chat, context: CompileContext) => Promise<Chat>;
/**
 * What compiling does, in order. There is no other step: parsing comes before, and the prompt is made after. A caller extends it by a
 * list of its own in the context: `{...context, stages: [...stages.slice(0, 5), mine, ...stages.slice(5)]}`.
 */
export declare const stages: readonly Stage[];
