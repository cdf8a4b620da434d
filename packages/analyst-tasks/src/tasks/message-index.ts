import { messageIndex as indexOf, roles } from '@colophon/chat-format';
import { z } from 'zod';
import { printAddress } from '../address.js';
import { badInput } from '../errors.js';
import { pageInputs, pageOutputs, takePage } from '../pages.js';
import { shortMeta } from '../short-meta.js';
import { defineTask } from '../task.js';
import { characters, fingerprint } from '../text.js';

/** Characters above which a message is better looked at by range. */
const largeMessage = 100_000;

const entry = z.object({
  address: z.string().describe('`path#index`; `message_content` takes it'),
  id: z.string().describe('the same address'),
  lineage_id: z.string().describe('digest of the message and all before it that are no meta'),
  previous_lineage_id: z.string().nullable(),
  role: z.string(),
  fingerprint: z.string().describe('the content, cut'),
  meta: z.record(z.string(), z.unknown()).optional().describe('fields of a meta message, long texts cut'),
  characters: z.number().int().describe('length of the content in code points; 0 for a meta'),
  large: z.boolean().describe(`more than ${largeMessage} characters`),
});

/** Every message of a session, without its text. */
export const messageIndex = defineTask({
  name: 'message_index',
  description:
    'A compact index of every message of every chat of the session: address, role, lineage, size and a cut of its text. Use it to see the shape of a session and to get addresses for `message_content`. Receipts inside outputs are no messages; `meta_evidence` lists them.',
  root: 'session',
  input: z.object({ role: z.string().min(1).optional().describe('only messages of this role'), ...pageInputs }),
  output: z.union([z.array(entry), z.object({ messages: z.array(entry), ...pageOutputs })]),
  run: async ({ chats, messages, extras, context: { home } }, { role, ...paging }) => {
    if (
      role !== undefined &&
      !Object.hasOwn(roles, role) &&
      !chats.some((chat) => Object.hasOwn(extras(chat).roles, role))
    )
      throw badInput(
        'message_index',
        `\`role\`: ${JSON.stringify(role)} is no role, and no message has it; there are ${Object.keys(roles).join(', ')}`,
      );
    const entries: z.input<typeof entry>[] = [];
    for (const { path } of chats) {
      const chat = await messages(path);
      for (const [index, { id, previous, meta }] of indexOf(chat).entries()) {
        const message = chat[index]!;
        if (role !== undefined && message.role !== role) continue;
        const size = meta ? 0 : characters(message.content);
        const address = printAddress(path, index, home);
        entries.push({
          address,
          id: address,
          lineage_id: id,
          previous_lineage_id: previous,
          role: message.role,
          fingerprint: fingerprint(message.content),
          ...(meta ? { meta: shortMeta(meta) } : {}),
          characters: size,
          large: size > largeMessage,
        });
      }
    }
    if (paging.page === undefined && paging.per_page === undefined) return entries;
    const { items, facts } = takePage(entries, paging);
    return { messages: [...items], ...facts };
  },
});
