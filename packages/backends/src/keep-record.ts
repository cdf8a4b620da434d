import type { Chat } from '@colophon/chat-format';
import type { Run } from './run.js';

/** Records what is new, durably, adds it to the answer's messages, and tells whoever listens; a listener that throws costs nothing. */
export const keepRecord = async (run: Run, messages: Chat): Promise<void> => {
  await run.input.recorder.record(messages);
  run.fresh.push(...messages);
  const { onRecord } = run.options.own as { onRecord?: (messages: Chat) => void };
  try {
    onRecord?.(messages);
  } catch (error) {
    run.context.log?.(`A listener failed at onRecord: ${error instanceof Error ? error.message : error}`);
  }
};
