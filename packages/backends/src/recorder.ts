import { stat } from 'node:fs/promises';
import { type Chat, ColophonError } from '@colophon/chat-format';
import { openAppender } from '@colophon/chat-format/node';
import type { Warning } from './answer.js';

/** Writes what is new. `record` resolves when it is on the disk; `warnings` grows where somebody takes away what was written. */
export type Recorder = { record: (messages: Chat) => Promise<void>; warnings: Warning[] };

const sizeOf = (file: string): Promise<number> =>
  stat(file).then(
    ({ size }) => size,
    () => 0,
  );

// An editor that saves what it had read before the run began, or a file that was removed: what comes next is recorded all the same.
const shrunk = (file: string): Warning => ({
  code: 'chat_shrunk',
  message: `${file} became shorter while the run went on: what was recorded before may be missing in it. All that this run wrote is in the answer's messages.`,
});

/** A recorder that appends to a chat's file, at the cost of what is new; without a file it records nothing. */
export const openRecorder = async (file: string | undefined): Promise<Recorder> => {
  const warnings: Warning[] = [];
  if (file === undefined) return { record: async () => {}, warnings };
  const appender = await openAppender(file);
  let left = 0;
  return {
    warnings,
    record: async (messages) => {
      if (warnings.length === 0 && (await sizeOf(file)) < left) warnings.push(shrunk(file));
      try {
        await appender.append(messages);
      } catch (error) {
        // What could not be written is paid for: whoever catches this may still keep it.
        if (error instanceof ColophonError) error.facts['unrecorded'] = messages;
        throw error;
      }
      left = await sizeOf(file);
    },
  };
};
