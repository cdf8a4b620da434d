import { z } from 'zod';
import { parseAddress, realPath } from '../address.js';
import { defineTask } from '../task.js';

/** Whole messages by their addresses. */
export const messageContent = defineTask({
  name: 'message_content',
  description:
    'The whole messages behind addresses that `message_index` or `chat_tool_calls` listed. Addresses that name no message of the session are left out; those of receipts belong to `meta_evidence` and `chat_reasoning`.',
  root: 'session',
  input: z.object({
    ids: z.array(z.string()).describe('addresses, `path#index`, with `~` for the home folder or whole'),
  }),
  output: z.array(z.object({ id: z.string(), role: z.string(), content: z.string() }).loose()),
  check: ({ ids }, { home }) => {
    for (const id of ids) parseAddress(id, home);
  },
  run: async ({ chats, messages, context }, { ids }) => {
    const known = new Set(chats.map(({ path }) => path));
    const real = new Map<string, string>();
    const wanted: { id: string; path: string; index: number }[] = [];
    for (const id of ids) {
      const { path: named, index } = parseAddress(id, context.home);
      const path = real.get(named) ?? (known.has(named) ? named : await realPath(named, context));
      real.set(named, path);
      if (known.has(path)) wanted.push({ id, path, index });
    }
    const read = new Map<string, Awaited<ReturnType<typeof messages>>>();
    for (const { path } of wanted) if (!read.has(path)) read.set(path, await messages(path));
    return wanted.flatMap(({ id, path, index }) => {
      const message = read.get(path)?.[index];
      return message ? [{ id, role: message.role, content: message.content }] : [];
    });
  },
});
