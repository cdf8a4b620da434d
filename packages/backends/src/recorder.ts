import { stat } from 'node:fs/promises';
import { type Chat, ColophonError } from '@colophon/chat-format';
import { openAppender } from '@colophon/chat-format/node';
import type { Warning } from './answer.js';
import { createMirror } from './mirror.js';

/**
 * Writes what is new. `record` resolves when it is on the disk; `mirror` names a second file for the whole conversation, with what it
 * is to hold before that; `warnings` grows where somebody takes away what was written, or the second file can't be.
 */
export type Recorder = {
  record: (messages: Chat) => Promise<void>;
  mirror: (file: string, chat: Chat) => void;
  warnings: Warning[];
};

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

const openFileRecorder = async (file: string, warnings: Warning[]): Promise<Recorder['record']> => {
  const appender = await openAppender(file);
  let left = 0;
  let isShrunk = false;
  return async (messages) => {
    if (!isShrunk && (await sizeOf(file)) < left) {
      isShrunk = true;
      warnings.push(shrunk(file));
    }
    try {
      await appender.append(messages);
    } catch (error) {
      // What could not be written is paid for: whoever catches this may still keep it.
      if (error instanceof ColophonError) error.facts['unrecorded'] = messages;
      throw error;
    }
    left = await sizeOf(file);
  };
};

// It can be made again from the chat's file: where it can't be written, the run goes on.
const unmirrored = (file: string, error: unknown): Warning => ({
  code: 'transcript_failed',
  message: `The transcript ${file} could not be written: ${error instanceof Error ? error.message : error}. The chat itself is recorded.`,
});

/** A recorder that appends to a chat's file, at the cost of what is new; without a file it records nothing but its mirror. */
export const openRecorder = async (file: string | undefined): Promise<Recorder> => {
  const warnings: Warning[] = [];
  const write = file === undefined ? async () => {} : await openFileRecorder(file, warnings);
  let mirrored: { path: string; write: ReturnType<typeof createMirror> } | undefined;
  return {
    warnings,
    mirror: (path, chat) => {
      mirrored = { path, write: createMirror(path, chat) };
    },
    record: async (messages) => {
      await write(messages);
      // Without a file of its own, the mirror is where the conversation is kept.
      await mirrored?.write(messages).catch((error) => {
        if (file === undefined) throw error;
        if (!warnings.some(({ code }) => code === 'transcript_failed'))
          warnings.push(unmirrored(mirrored!.path, error));
      });
    },
  };
};
