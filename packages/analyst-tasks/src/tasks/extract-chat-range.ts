import { printChat } from '@colophon/chat-format';
import { z } from 'zod';
import { badInput } from '../errors.js';
import { defineFileTask } from '../task.js';

const name = 'extract_chat_range';

/** Messages of one chat file as chat text. */
export const extractChatRange = defineFileTask({
  name,
  description:
    'Messages `start` to `end` of one chat file, both included, counted from 0, as chat text. The file is parsed, never compiled; nothing is asked.',
  root: 'persisted chat',
  input: z.object({
    start: z.number().int().min(0).describe('index of the first message'),
    end: z.number().int().min(0).describe('index of the last message'),
  }),
  output: z.string().describe('chat text'),
  check: ({ start, end }) => {
    if (start > end) throw badInput(name, `start ${start} is behind end ${end}`);
  },
  run: async ({ root, messages }, { start, end }) => {
    const chat = await messages(root.path);
    if (end >= chat.length)
      throw badInput(
        name,
        `end ${end} is behind the last message: ${root.path} has ${chat.length}, so that ${Math.max(0, chat.length - 1)} is the last index`,
      );
    return printChat(chat.slice(start, end + 1));
  },
});
