import { type CompileContext, type ContextOptions } from '../context.js';
/** A context on this machine's disk, from values that are passed in: nothing is read from the process. */
export declare const nodeContext: (options: Omit<ContextOptions, 'files'> & Partial<Pick<ContextOptions, 'files'>>) => CompileContext;
