import type { Message } from '@colophon/chat-format';
import type { CompileContext, Workflows } from './context.js';
/** The context's workflow engine, or the error that says that there is none. */
export declare const engineFor: (message: Message, { workflows }: CompileContext) => Workflows;
/**
 * Asks the engine for something. What it throws becomes an error with the place of the directive, or `aborted`.
 *
 * @throws ColophonError `no_workflows`, `task_failed`, `aborted`.
 */
export declare const askEngine: <T>(message: Message, context: CompileContext, question: (engine: Workflows) => Promise<T>) => Promise<T>;
/** The signal as an engine takes it. */
export declare const signalOf: ({ signal }: CompileContext) => {
    signal?: AbortSignal;
};
