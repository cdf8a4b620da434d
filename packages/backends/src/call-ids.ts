import { createHash } from 'node:crypto';
import { type Chat, parseCall } from '@colophon/chat-format';
import { stringify } from 'safe-stable-stringify';

/** Ids that calls of a chat have already. Linear in the chat. */
export const takenIds = (chat: Chat = []): Set<string> => {
  const taken = new Set<string>();
  for (const { role, content } of chat) {
    const id = role === 'function_call' || role === 'mcp_call' ? parseCall(content)?.id : undefined;
    if (id !== undefined) taken.add(id);
  }
  return taken;
};

/**
 * An id for a call that the provider gave none: `<name>_<hash of its arguments>`, with a number behind it where that is
 * taken. The same call alone always has the same id. Adds the id to `taken`.
 */
export const makeCallId = (name: string, args: unknown, taken: Set<string>): string => {
  const hash = createHash('sha256')
    .update(stringify(args) ?? '')
    .digest('hex')
    .slice(0, 16);
  let id = `${name}_${hash}`;
  for (let count = taken.size; taken.has(id); count++) id = `${name}_${hash}_${count}`;
  taken.add(id);
  return id;
};
