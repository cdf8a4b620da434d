import { type Chat, ColophonError } from '@colophon/chat-format';
import { openAppender } from '@colophon/chat-format/node';

/** Writes what is new. `record` resolves when it is on the disk. */
export type Recorder = { record: (messages: Chat) => Promise<void> };

/** A recorder that appends to a chat's file, at the cost of what is new; without a file it records nothing. */
export const openRecorder = async (file: string | undefined): Promise<Recorder> => {
  if (file === undefined) return { record: async () => {} };
  const appender = await openAppender(file);
  return {
    record: async (messages) => {
      try {
        await appender.append(messages);
      } catch (error) {
        // What could not be written is paid for: whoever catches this may still keep it.
        if (error instanceof ColophonError) error.facts['unrecorded'] = messages;
        throw error;
      }
    },
  };
};
