import type { Message } from '@colophon/chat-format';
import { stopIfAborted } from './abort.js';
import type { CompileContext, Workflows } from './context.js';
import { noWorkflowsError, taskFailedError } from './errors.js';

/** The context's workflow engine, or the error that says that there is none. */
export const engineFor = (message: Message, { workflows }: CompileContext): Workflows => {
  if (!workflows) throw noWorkflowsError(message, message.content);
  return workflows;
};

/**
 * Asks the engine for something. What it throws becomes an error with the place of the directive, or `aborted`.
 *
 * @throws ColophonError `no_workflows`, `task_failed`, `aborted`.
 */
export const askEngine = async <T>(
  message: Message,
  context: CompileContext,
  question: (engine: Workflows) => Promise<T>,
): Promise<T> => {
  const engine = engineFor(message, context);
  stopIfAborted(context);
  try {
    return await question(engine);
  } catch (cause) {
    stopIfAborted(context);
    throw taskFailedError(message, message.content, cause);
  }
};

/** The signal as an engine takes it. */
export const signalOf = ({ signal }: CompileContext): { signal?: AbortSignal } => (signal ? { signal } : {});
