import type { CompileContext } from './context.js';
import { abortedError } from './errors.js';

/** Throws `aborted` where the context's signal says stop. */
export const stopIfAborted = ({ signal }: CompileContext): void => {
  if (signal?.aborted) throw abortedError(signal);
};
