import { type AnnotatedChat } from '@colophon/chat-format';
import type { CompileContext, CompileInput } from './context.js';
/**
 * What a person wrote → what is asked. Text is chat text, never a path; `{file}` is a chat file, found as `findFile` finds it; texts
 * in an array are `user` messages. The stages run in the order of the exported list (or of the context's own) on copies: the input is
 * not changed, and configuration and grants of the context are added to only when every stage is through, so that an error leaves nothing
 * half done.
 *
 * One context is for one compilation. Where several go on at once, give each `createContext(base)`.
 *
 * @returns the compiled chat with the verbs of a chat; options and tools are still in it
 * @throws ColophonError `invalid_input`, what finding and reading the file throws, and of any stage; `aborted` where the context's signal says stop.
 */
export declare const compileChat: (input: CompileInput, context: CompileContext) => Promise<AnnotatedChat>;
