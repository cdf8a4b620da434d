import type { CompileContext } from './context.js';
/** Throws `aborted` where the context's signal says stop. */
export declare const stopIfAborted: ({ signal }: CompileContext) => void;
